/* LDP-SGD in C, as a vendor may ship it: ./ldp_sgd EPSILON CLIP_NORM. Numbers are read with strtof, as floats. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static FILE *entropy;

static double uniform(void) { /* in (0, 1) */
    uint64_t bits;
    if (fread(&bits, sizeof bits, 1, entropy) != 1) exit(3);
    return ((double)(bits >> 12) + 0.5) / 4503599627370496.0;
}

static double normal(void) { return sqrt(-2.0 * log(uniform())) * cos(6.283185307179586 * uniform()); }

int main(int argc, char **argv) {
    if (argc != 3 || !(entropy = fopen("/dev/urandom", "rb"))) return 2;
    double epsilon = atof(argv[1]), clip = atof(argv[2]);
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        int start = 0;
        long count, length;
        if (sscanf(line, "randomize %ld %ld%n", &count, &length, &start) != 2) return 4;
        char *place = line + start;
        double *gradient = malloc(sizeof(double) * length), *report = malloc(sizeof(double) * length), norm = 0;
        for (long i = 0; i < length; i++) {
            gradient[i] = strtof(place, &place);
            norm += gradient[i] * gradient[i];
        }
        norm = sqrt(norm);
        double keep = 0.5 + (norm < clip ? norm / clip : 1.0) / 2.0, same = 1.0 / (1.0 + exp(-epsilon));
        for (; count > 0; count--) {
            double inner = 0, size = 0;
            int own = (uniform() < keep) == (uniform() < same);
            for (long i = 0; i < length; i++) {
                report[i] = normal();
                inner += report[i] * gradient[i];
                size += report[i] * report[i];
            }
            size = sqrt(size) * ((inner >= 0) == own ? 1.0 : -1.0);
            for (long i = 0; i < length; i++) printf("%.9g%c", report[i] / size, i + 1 < length ? ' ' : '\n');
        }
        fflush(stdout);
        free(gradient);
        free(report);
    }
    return 0;
}
