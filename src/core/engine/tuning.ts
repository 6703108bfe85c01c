/**
 * Constants of the method that only developers tune, by measurements in bench/results. User options are in options.ts.
 */
export const tuning = {
  /** Windows of code as written. */
  written: { tokens: 18, leastTokens: 13, leastDistinct: 9 },
  /** Tokens of the window of a listing or table, which seeds only equal windows. */
  listingTokens: 50,
  /** Windows of code with abstracted names. They are less distinctive, so they have to be longer. */
  renamed: { tokens: 24, leastTokens: 18, leastDistinct: 8 },
  prose: {
    /** Words in a window of prose. */
    windowWords: 5,
    /** One word in this number begins a window, selected by content. */
    anchorModulus: 2,
    /**
     * Longer quoted code has only windows of code. Shorter quoted code is not a passage of code by default and is found
     * as part of the page. With windows of prose for all quoted code, a scan of 355 pages took 8 % instead of 4 %
     * longer than without quoted code, and the additional findings were code that is not accepted as code.
     */
    mostCode: 50,
  },
  seeds: {
    /**
     * Up to this number, all windows with one fingerprint are linked across documents; beyond it, the first of each
     * document. With 4, related documents were missed if five documents had equal beginnings. With 400, matching 22,700
     * functions took twice as long: see bench/results/2026-11-22-kin.md.
     */
    allPairs: 8,
    /**
     * Each fingerprint is linked to this number of lesser ones within the distance, or to more if chance hits require
     * it (see `mostPartners`). Few links are enough to keep real copies together.
     */
    partners: 64,
    mostPartners: 256,
  },
  align: {
    /**
     * Maximum drop of a score below its best before extension gives up; see src/core/kernel/matches/extend.ts for scores.
     */
    xDrop: 40,
    /** Minimum score of the strict extension of a seed for the patient one to be tried. */
    promisingScore: 100,
    /** Maximum number of tokens on either side that chaining may bridge. */
    gapTokens: 130,
    /** Minimum score of a piece that is kept for chaining. */
    leastPieceScore: 90,
  },
  /**
   * The score of a match of code: a quadratic form of its features, which must be at least 0 for the match to be
   * accepted. The weights come from a sparse logistic regression, see docs/decisions/0003-accepting-matches.md. The
   * exception are `gaps` and `consistent` with `sameDocument`, because no training copy is in the file of its original.
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
    /** Deduction for a pair that no seed has led to. */
    given: 1,
    /**
     * Amount by which a score may be below 0 per unit of minimum similarity below its default: 3 at 0.45. Users who
     * lower the minimum similarity ask for copies that only some readers would accept. Such matches must have the
     * distinct shingles of a match of `ofTokens` tokens, however short they are; otherwise, the same number of copies
     * would cost twice the precision. See bench/results/2026-11-23-loose.md.
     */
    allowance: 30,
  },
  /**
   * Minimum number of distinct shingles of four tokens that both passages of a match of code share, as counted by the
   * kernel's hasDistinctShingles, if passages have at least `ofTokens` tokens. Scaled down for a lower minimum.
   */
  distinctShingles: { least: 40, ofTokens: 50 },
  /**
   * Limits of a search for a text: windows examined per fingerprint, and documents compared, those with the most in
   * common first. The results report what was skipped.
   */
  similar: { windows: 2_000, documents: 500 },
  files: {
    /** Minimum number of lines of a document that is shorter than a passage to be compared with its equals. */
    equalLines: 10,
    /** Bins of a document's signature: the standard error of a resemblance estimate is at most 0.044. */
    bins: 128,
    /** Bins in a band: with 42 bands, 99.6 % of the pairs with a resemblance of 0.5 agree in at least one band. */
    rows: 3,
    /** A pair is compared if its estimate is at most this number of standard errors below the required resemblance. */
    slackErrors: 3,
    /** A document is tied to this number of previous documents in a bucket, and to the first one. */
    partners: 4,
    /**
     * Criterion of similar documents by method: minimum resemblance and maximum distance of their fingerprints. See
     * bench/results for precision and recall.
     */
    minhash: { least: 0.5, farthest: 64 },
    simhash: { least: 0, farthest: 6 },
    combined: { least: 0.5, farthest: 12 },
    containment: {
      /** Minimum share of a document that is inside another. */
      least: 0.8,
      /**
       * Number of hashes that a document is looked up by, and maximum number of documents with one of them for it to be
       * informative.
       */
      probes: 8,
      commonProbe: 32,
      /** Maximum number of documents with half of the probes to compare. */
      containersTried: 8,
    },
    /** In groups up to this size, every pair is compared; in larger ones, each document with the leader. */
    verifyAll: 8,
    /**
     * Number of least shingle hashes that form a group's id: different for passages, and for one file inside another.
     */
    leastHashes: 3,
    leastHashesInside: 2,
    /** One hash in this number is in the sample of a document, which is used to find containment. */
    modulus: 8,
  },
  groups: {
    /**
     * Passages that overlap by this share of their union are one. Passages of code are cut to blocks, so a smaller
     * overlap means another block. Passages of prose can begin and end at any word; a joined passage is shown with
     * words that its copy lacks. At 0.7, this caused two fifths of the precision loss.
     */
    samePassage: { code: 0.7, prose: 0.85 },
    /**
     * A passage is nested in another if this share of it is inside. A lower share would hide groups that extend beyond
     * the larger one; a higher one would show a copy twice if its matches end at slightly different places. The value
     * is not based on a measurement, and it matters only up to 120 tokens: `mostOutside` is stricter for longer
     * passages.
     */
    inside: 0.8,
    /** Maximum number of tokens outside: part of a statement, which matches may omit at their ends. */
    mostOutside: 24,
    /** In groups up to this size, every pair is verified; in larger ones, each passage against the leader. */
    verifyAll: 16,
    /** Number of least shingle hashes that form a group's id. */
    leastHashes: 4,
  },
} as const;
