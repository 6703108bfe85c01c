// Records of seedWindows.ts, written by scripts/build.mjs: change them there.
export const seedWindowsBytes = 36;
export const idsAt = 0;
export const firstsAt = 4;
export const docsAt = 8;
export const positionsAt = 12;
export const allPairsAt = 16;
export const apartAt = 20;
export const outAt = 24;
export const roomAt = 28;
export const foundAt = 32;
