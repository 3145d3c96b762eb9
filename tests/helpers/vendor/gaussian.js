// Gaussian noise in JavaScript: node gaussian.js SIGMA CLIP_NORM. The vendor says which claim SIGMA is for.
const { randomFillSync } = require("node:crypto");
const lines = require("node:readline").createInterface({ input: process.stdin });
const [sigma, clip] = process.argv.slice(2).map(Number);
const words = new Uint32Array(2048);
let left = 0;

function uniform() { // in (0, 1)
  if (left === 0) {
    randomFillSync(words);
    left = words.length;
  }
  return (words[--left] + 0.5) / 4294967296;
}

function noise() {
  return sigma * Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

lines.on("line", (line) => {
  const [, count, , ...gradient] = line.split(" ").map(Number);
  const norm = Math.hypot(...gradient);
  const factor = norm > clip ? clip / norm : 1;
  const reports = []; // on a grid, so that the low-order bits do not tell the input
  for (let i = 0; i < count; i++) {
    reports.push(gradient.map((x) => Math.round((x * factor + noise()) * 65536) / 65536).join(" "));
  }
  process.stdout.write(reports.join("\n") + "\n");
});
