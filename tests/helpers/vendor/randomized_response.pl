# Randomized response on one coordinate in Perl: perl randomized_response.pl EPSILON CLIP_NORM.
use strict;
use warnings;
$| = 1;
my ($epsilon, $clip) = @ARGV;
my $gain = (exp($epsilon) - 1) / (exp($epsilon) + 1);
open(my $entropy, '<:raw', '/dev/urandom') or die "no /dev/urandom\n";
srand(unpack('L', join('', map { getc($entropy) } 1 .. 4)));
while (my $line = <STDIN>) {
    my ($word, $count, $length, @gradient) = split ' ', $line;
    for (1 .. $count) {
        my $place = int(rand($length));
        my $value = $gradient[$place];
        $value = $value > $clip ? $clip : $value < -$clip ? -$clip : $value;
        my @report = (0) x $length;
        $report[$place] = (rand() < 0.5 + $value / $clip * $gain / 2 ? 1 : -1) * $clip * $length / $gain;
        print join(' ', @report), "\n";
    }
}
