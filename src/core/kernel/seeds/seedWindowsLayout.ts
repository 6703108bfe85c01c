// Records of seedWindows.ts, written by scripts/build.mjs: change them there.
export const seedWindowsBytes = 36;
export const seedWindowsIdsAt = 0;
export const seedWindowsFirstsAt = 4;
export const seedWindowsDocsAt = 8;
export const seedWindowsPositionsAt = 12;
export const seedWindowsAllPairsAt = 16;
export const seedWindowsApartAt = 20;
export const seedWindowsOutAt = 24;
export const seedWindowsRoomAt = 28;
export const seedWindowsFoundAt = 32;
