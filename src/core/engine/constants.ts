/** Constants that developers choose by measurement (bench/results). Options that users can set are in options.ts. */
export const constants = {
  /** Windows of code in which names are unchanged. Sizes are in tokens. */
  written: { tokens: 18, minTokens: 13, minDistinct: 9 },
  /** Tokens in a window of a listing or table. It is a seed only with windows that have an equal fingerprint. */
  listingTokens: 50,
  /** Windows of code in which all names count as equal. They are less distinctive, so they must be longer. */
  renamed: { tokens: 24, minTokens: 18, minDistinct: 8 },
  prose: {
    windowWords: 5,
    /** One in this many words begins a window. The words are selected by content. */
    anchorModulus: 2,
    /**
     * Maximum length, in tokens, of quoted code that is also indexed as prose. With the default options, shorter code
     * is too short to be reported as code, so it can only be found as part of the surrounding page. Quoted code makes a
     * scan of 355 pages take 4% longer. Without this limit, it would take 8% longer, and would only add passages that
     * are rejected when they are compared as code.
     */
    maxCode: 50,
  },
  seeds: {
    /**
     * Maximum number of windows with the same fingerprint for which all pairs across documents are linked. If there are
     * more windows, only the first window of each document is linked. With 4, related documents were missed if five
     * documents had the same beginning. With 400, matching 22,700 functions took twice as long: see
     * bench/results/2026-11-22-kin.md.
     */
    allPairs: 8,
    /**
     * Maximum number of partners of a fingerprint: smaller fingerprints within the distance, to which it is linked. The
     * maximum is raised up to `maxPartners` if there are many accidental neighbors (see the function `maxPartners`).
     * A few links are enough to keep real copies together.
     */
    partners: 64,
    maxPartners: 256,
  },
  align: {
    /** An extension ends if its score (src/core/kernel/matches/extend.ts) drops by more than this below its maximum. */
    xDrop: 40,
    /**
     * Minimum score of a seed's strict extension. If the score is higher, the patient extension, which bridges more, is
     * tried, too.
     */
    promisingScore: 100,
    /** Maximum number of tokens between two extensions of a chain, on either side. */
    gapTokens: 130,
    /** Minimum score of an extension in a chain. */
    minPieceScore: 90,
  },
  /**
   * The score of a match of code is a quadratic form of its features (src/core/kernel/matches/features.ts). The match
   * is accepted if the score is at least 0. The weights come from a sparse logistic regression, see
   * docs/decisions/0003-accepting-matches.md. The weights of the products of `sameDocument` with `gaps` and with
   * `consistent` were set by hand, because the training data have no copies within one file.
   */
  classifier: {
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
    /** Penalty for the score of two passages that no seed connects. */
    given: 1,
  },
  /**
   * Minimum number of distinct shingles of four tokens that both passages of a match of code must have in common, as
   * the kernel's hasDistinctShingles counts them. It applies to passages of at least `ofTokens` tokens. If the user
   * sets a smaller minimum length, the minimum number is reduced in proportion.
   */
  distinctShingles: { minimum: 40, ofTokens: 50 },
  /**
   * Limits of Find Similar: number of windows to examine per fingerprint, and number of documents to compare. The most
   * promising documents are compared first. The result states how many were skipped.
   */
  similar: { windows: 2_000, documents: 500 },
  files: {
    /**
     * Minimum number of lines of a document that has fewer tokens than a passage needs. Such a document is grouped only
     * with documents of the same tokens and size; with fewer lines, it is not compared at all.
     */
    equalLines: 10,
    /** Number of bins of a document's signature. The standard error of a resemblance estimate is at most 0.044. */
    bins: 128,
    /** Number of bins in a band. With 42 bands, 99.6% of pairs with a resemblance of 0.5 agree in at least one. */
    rows: 3,
    /** Tolerance in standard errors: the amount by which an estimate may be below the required resemblance. */
    slackErrors: 3,
    /** Number of preceding documents in a bucket to which a document is linked, in addition to the first one. */
    partners: 4,
    /**
     * Thresholds for similar documents: minimum resemblance, and maximum distance of the fingerprints. See
     * bench/results for precision and recall.
     */
    minhash: { minResemblance: 0.5, maxDistance: 64 },
    simhash: { minResemblance: 0, maxDistance: 6 },
    combined: { minResemblance: 0.5, maxDistance: 12 },
    containment: {
      /** Minimum share of a document that another document must contain for the first to count as contained. */
      minShare: 0.8,
      /**
       * Number of probes of a document: hashes by which documents that contain it are found. A probe is ignored if more
       * than `commonProbe` documents have it.
       */
      probes: 8,
      commonProbe: 32,
      /** Maximum number of possible containers to compare. They must have at least half of the document's probes. */
      containersTried: 8,
    },
    /** Maximum number of documents in a group whose pairs are all compared. In larger ones, only with the leader. */
    verifyAll: 8,
    /**
     * Number of hashes, the smallest ones of the shingles, that form a group's id. The numbers for groups of passages,
     * of files, and of contained files differ, so their ids never collide.
     */
    minHashes: 3,
    minHashesInside: 2,
    /** One in this many hashes is in the sample of a document. Samples are used to find contained files. */
    modulus: 8,
  },
  groups: {
    /**
     * Minimum overlap at which two passages become one, as a share of their union. Passages of code consist of whole
     * blocks, so a smaller overlap means another block. Passages of prose can begin and end at any word, so a joined
     * passage may show words that its copy lacks. With 0.7 for prose, such words caused two fifths of the precision
     * loss.
     */
    samePassage: { code: 0.7, prose: 0.85 },
    /**
     * Minimum share of a passage that must be in a larger passage for it to count as nested. A lower share would hide
     * groups that extend beyond the larger group. A higher share would show a copy twice if its matches end at slightly
     * different places. The value is not based on a measurement. It matters only for passages of up to 120 tokens,
     * because `maxOutside` is stricter for longer ones.
     */
    inside: 0.8,
    /** Maximum number of tokens of a nested passage outside of the other. Matches may omit parts of statements. */
    maxOutside: 24,
    /** Maximum number of passages in a group whose pairs are all verified. In larger ones, only with the leader. */
    verifyAll: 16,
    /** Number of smallest shingle hashes that form a group's id. */
    minHashes: 4,
  },
} as const;
