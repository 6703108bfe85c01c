/**
 * Numbers of the method that nobody turns but whoever measures it: bench/results has the measurements that chose them.
 * What a person may turn is in options.ts.
 */
export const tuning = {
  /** Windows of code as written. */
  written: { tokens: 18, leastTokens: 13, leastDistinct: 9 },
  /** Tokens of the window of a listing or a table, which seeds where another one is equal. */
  listingTokens: 50,
  /** Windows of code with names abstracted: they tell less, so they have to be longer. */
  renamed: { tokens: 24, leastTokens: 18, leastDistinct: 8 },
  prose: {
    /** Words in a window of prose. */
    windowWords: 5,
    /** One word in this many begins a window, chosen by content. */
    anchorModulus: 2,
    /**
     * Code in a fence with more tokens has windows of code only: what is shorter is no passage of code by default, and is
     * found as a part of the page. With windows of prose as well the scan of 355 pages took 8 % longer than without quoted
     * code instead of 4 %, and what it found besides was code that is not accepted as code.
     */
    mostCode: 50,
  },
  seeds: {
    /**
     * Up to so many windows of one fingerprint are linked across documents; of more, the first of each document. With 4,
     * relatives were not compared as soon as five documents began a window alike; with 400, matching 22,700 functions
     * took twice as long: see bench/results/2026-11-22-kin.md.
     */
    allPairs: 8,
    /**
     * Each fingerprint is linked to so many lesser ones within the distance, to more where chance makes them (see
     * `mostPartners`), and to so many at most: crowds of real ones hold together with few.
     */
    partners: 64,
    mostPartners: 256,
  },
  align: {
    /** How far a score may fall below its best before extension gives up; see src/kernel/matches/extend.ts for scores. */
    xDrop: 40,
    /** Score that the strict extension of a seed needs for the patient one to be tried. */
    promisingScore: 100,
    /** Tokens that chaining may bridge on either side. */
    gapTokens: 130,
    /** Score of the smallest piece that is kept for chaining. */
    leastPieceScore: 90,
  },
  /**
   * The score of a match of code: a quadratic form of its features, which has to reach 0 for the match to be accepted. The weights are those of a
   * sparse logistic regression, see docs/decisions/0003-accepting-matches.md, but that of `gaps` and `consistent` with
   * `sameDocument`: no copy that was fitted to is in the file of its original.
   */
  classifier: {
    features: [
      'one',
      'equal',
      'consistent',
      'once',
      'differing',
      'gaps',
      'evenness',
      'length',
      'sameDocument',
      'longest',
      'vocabulary',
      'identifiers',
    ],
    terms: {
      one: -16.43,
      'consistent differing': -172.93,
      'differing differing': -66.68,
      'once gaps': -49.11,
      'consistent once': 23.32,
      'once once': -21.7,
      'consistent identifiers': -18.09,
      'differing gaps': -10.79,
      'differing vocabulary': 10.4,
      'gaps sameDocument': -5,
      'consistent consistent': -9.08,
      'consistent sameDocument': -5,
      'consistent length': 8.75,
      evenness: 6.3,
      'evenness evenness': 6.19,
      'once identifiers': -6.0,
      'equal evenness': 4.73,
      'differing longest': -3.54,
      equal: 2.47,
      'differing length': -1.77,
      'longest vocabulary': 1.44,
      'evenness vocabulary': 1.34,
      'vocabulary vocabulary': 1.32,
      'sameDocument vocabulary': -1.05,
      'gaps vocabulary': 0.85,
      'gaps identifiers': -0.73,
      identifiers: -0.62,
      'evenness length': 0.34,
      'length length': -0.27,
      'length vocabulary': 0.16,
      vocabulary: 0.03,
    } as Readonly<Record<string, number>>,
    /** What is taken off for a pair that no seed has brought together. */
    given: 1,
    /**
     * How far below 0 a score may be where the least similarity is asked for that is 1 below its default, and in proportion:
     * 3 at 0.45. Who asks for less similar copies asks for those that only some take for copies. What is accepted so has to
     * have the distinct shingles of a match of `ofTokens` tokens, however short it may be: without that, as many copies cost
     * twice the precision. See bench/results/2026-11-23-loose.md.
     */
    allowance: 30,
  },
  /**
   * How many different shingles of four tokens both passages of a match of code have to share, as hasDistinctShingles of the
   * kernel counts them, where passages of `ofTokens` tokens or more are asked for; in proportion where shorter ones are.
   */
  distinctShingles: { least: 40, ofTokens: 50 },
  /**
   * Of the windows of one fingerprint so many are looked at when a text is looked for, and so many documents are compared with
   * it, those that have most in common with it. What is left out is told.
   */
  similar: { windows: 2_000, documents: 500 },
  files: {
    /** Bins of a document's signature: an estimate of resemblance has a standard error of 0.044 at most. */
    bins: 128,
    /** Bins in a band: with 42 bands, 996 of 1,000 pairs that resemble each other by a half agree on some band. */
    rows: 3,
    /** How far an estimate may lie below the resemblance that is asked for, for the pair to be compared. */
    slackErrors: 3,
    /** A document is tied to so many before it in a bucket, and to the first. */
    partners: 4,
    /**
     * What makes documents alike, by method: the least resemblance and the farthest distance of their fingerprints.
     * bench/results has how many of the pairs that these find are near-duplicates, and how many they miss.
     */
    minhash: { least: 0.5, farthest: 64 },
    simhash: { least: 0, farthest: 6 },
    combined: { least: 0.5, farthest: 12 },
    containment: {
      /** The least share of a document that is inside another. */
      least: 0.8,
      /** Hashes of its sample by which a document is looked for, and how many documents may have one for it to tell. */
      probes: 8,
      commonProbe: 32,
      /** Of the documents that have half of its probes, so many are compared. */
      containersTried: 8,
    },
    /** In groups up to this size every pair is compared; in larger ones each document with the leader. */
    verifyAll: 8,
    /** How many least shingle hashes make a group's id: others than for passages, and others for one file inside another. */
    leastHashes: 3,
    leastHashesInside: 2,
    /** One hash in this many is in the sample of a document, by which containment is found. */
    modulus: 8,
  },
  groups: {
    /**
     * Passages that overlap by this share (of their union) are one. Those of code are cut and widened to blocks, so what
     * overlaps less is another block. Those of prose begin and end at any word, and each that is taken for a somewhat longer
     * one is shown with words that its copy has not: at 0.7 two fifths of the precision that was missing was lost so.
     */
    samePassage: { code: 0.7, prose: 0.85 },
    /**
     * A passage lies inside another when this share of it does. With less, groups are hidden that reach beyond the larger
     * one; with more, one copy is shown twice where its matches end a little apart. No measurement chose 0.8, and it decides
     * only up to 120 tokens: `mostOutside` asks for more of longer passages.
     */
    inside: 0.8,
    /** And when no more tokens than these are outside: part of a statement, as matches leave it out at their ends. */
    mostOutside: 24,
    /** In groups up to this size every pair is verified; in larger ones each passage against the leader. */
    verifyAll: 16,
    /** How many least shingle hashes make a group's id. */
    leastHashes: 4,
  },
} as const;
