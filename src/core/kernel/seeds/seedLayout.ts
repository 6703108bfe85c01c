// Records of seed.ts, written by scripts/build.mjs: change them there.
export const seedBitsShift = 27;
export const seedPositionMask = 134217727;
export const runOnly = 31;
export const seedCounts = 2048;
export const seedBytes = 16;
export const seedDocAAt = 0;
export const seedDocBAt = 4;
export const seedPosAAt = 8;
export const seedPosBAt = 12;
