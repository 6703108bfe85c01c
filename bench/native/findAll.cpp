// Times find_all of simhash-cpp on fingerprints from a file; bench/findAll.mjs compiles and runs it.
//   findAll <file of 64-bit numbers> <blocks> <distance>      prints: wall ms, processor ms, pairs
#include <chrono>
#include <ctime>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <unordered_set>

#include "simhash.h"

int main(int count, char** words) {
  if (count != 4) return 2;
  std::ifstream file(words[1], std::ios::binary);
  std::unordered_set<Simhash::hash_t> fingerprints;
  Simhash::hash_t fingerprint;
  while (file.read(reinterpret_cast<char*>(&fingerprint), sizeof fingerprint)) fingerprints.insert(fingerprint);
  const auto start = std::chrono::steady_clock::now();
  const auto processorStart = std::clock();
  const auto pairs = Simhash::find_all(fingerprints, std::atoi(words[2]), std::atoi(words[3]));
  const double processor = 1000.0 * (std::clock() - processorStart) / CLOCKS_PER_SEC;
  const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
  std::printf("%f %f %zu\n", wall.count(), processor, pairs.size());
  return 0;
}
