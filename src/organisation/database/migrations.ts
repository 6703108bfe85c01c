/**
 * Tables of an index, as migration steps: step `i` leads from version `i` to `i + 1`. Released steps are never changed;
 * changes are new steps.
 *
 * All tables are in the schema `kindred`, so rights can be granted separately, and `DROP SCHEMA kindred CASCADE`
 * removes them. Every server has all tables. Tables with a column `part` are split: each server has the rows of its
 * parts. Other tables are used only at the home.
 */
import { defaultParts } from './parts.ts';

const servers = `
-- Which index this server belongs to, and what the index calls it: one row.
CREATE TABLE kindred.identity (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  organisation uuid NOT NULL,
  server text NOT NULL,
  parts smallint NOT NULL
);
-- Home: the servers of the index. A server has joined when its identity is written.
CREATE TABLE kindred.server (
  name text PRIMARY KEY,
  address text NOT NULL,
  has_joined boolean NOT NULL DEFAULT false
);
-- Home: which server has the rows of a part, and how often it moved.
CREATE TABLE kindred.placement (
  part smallint PRIMARY KEY,
  server text NOT NULL REFERENCES kindred.server,
  moves bigint NOT NULL DEFAULT 0
);
`;

const catalogue = `
-- Home. By what method the index was made: one row, written with the first repository.
CREATE TABLE kindred.method (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  key text NOT NULL,
  options json NOT NULL
);
-- Home. A generation counts as soon as it stands here.
CREATE TABLE kindred.repository (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE,
  origin text,
  commit text,
  generation bigint NOT NULL DEFAULT 0,
  rules jsonb NOT NULL DEFAULT '{"categories": {}, "overrides": []}',
  files integer NOT NULL DEFAULT 0,
  lines bigint NOT NULL DEFAULT 0,
  stored_at timestamptz NOT NULL DEFAULT now()
);
-- Home. A text in a language: one for all files that have it. Whoever writes its other rows is its writer, until they are there.
CREATE SEQUENCE kindred.content_id;
CREATE TABLE kindred.content (
  id bigint PRIMARY KEY,
  digest bigint NOT NULL,
  bytes integer NOT NULL,
  language text NOT NULL,
  shape jsonb NOT NULL,
  writer integer
);
CREATE INDEX ON kindred.content (digest);
CREATE INDEX ON kindred.content (writer) WHERE writer IS NOT NULL;
-- Home. A file from one generation of its repository on, and until another: its content, or why it was left out.
CREATE TABLE kindred.document (
  repository integer NOT NULL REFERENCES kindred.repository ON DELETE CASCADE,
  path text COLLATE "C" NOT NULL,
  since bigint NOT NULL,
  until bigint,
  content bigint REFERENCES kindred.content,
  reason text,
  setting text,
  PRIMARY KEY (repository, path, since)
);
CREATE INDEX ON kindred.document (content);
CREATE INDEX ON kindred.document (repository, until) WHERE until IS NOT NULL;
-- Home. How rare each token is: measured of all documents of a scan, whose state is named.
CREATE TABLE kindred.rarity (
  epoch integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  state text NOT NULL,
  tokens bigint NOT NULL,
  weights bytea NOT NULL,
  since timestamptz NOT NULL DEFAULT now()
);
-- Home. A comparison of all documents in some state, what is to be done for it, and what came of that.
CREATE TABLE kindred.run (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  state text NOT NULL UNIQUE,
  generations jsonb NOT NULL,
  since timestamptz NOT NULL DEFAULT now()
);
-- A stage begins when those before it are done. A task whose lease has run out is another worker's.
CREATE TABLE kindred.task (
  run integer NOT NULL REFERENCES kindred.run ON DELETE CASCADE,
  stage smallint NOT NULL,
  number integer NOT NULL,
  worker uuid,
  lease_until timestamptz,
  done boolean NOT NULL DEFAULT false,
  result jsonb,
  PRIMARY KEY (run, stage, number)
);
CREATE INDEX ON kindred.task (run, stage, number) WHERE NOT done;
-- What tasks of a stage hand on to those of a later one: written as they are done.
CREATE TABLE kindred.piece (
  run integer NOT NULL REFERENCES kindred.run ON DELETE CASCADE,
  stage smallint NOT NULL,
  target integer NOT NULL,
  source integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (run, stage, target, source)
);
ALTER TABLE kindred.piece ALTER bytes SET STORAGE EXTERNAL;
`;

/**
 * Defines a split table, with a partition for each part.
 *
 * @param rest  columns, and a primary key if it has one
 */
function split(name: string, rest: string): string {
  return `
CREATE TABLE kindred.${name} (part smallint NOT NULL, ${rest}) PARTITION BY LIST (part);
DO $$ BEGIN
  FOR part IN 0..${defaultParts - 1} LOOP
    EXECUTE format('CREATE TABLE kindred.%I PARTITION OF kindred.${name} FOR VALUES IN (%s)', '${name}_p' || part, part);
  END LOOP;
END $$;
`;
}

const shares = `
-- Every server: its parts of
-- the arrays of each content, as they lie in memory
${split('payload', 'content bigint NOT NULL, arrays bytea NOT NULL, PRIMARY KEY (part, content)')}
-- the windows of each fingerprint: in which part of which content, and where
${split('fingerprint', 'view smallint NOT NULL, fp bigint NOT NULL, document bigint NOT NULL, position integer NOT NULL')}
CREATE INDEX ON kindred.fingerprint (view, fp);
-- and the different fingerprints by the key that they have in each table.
${split('block_key', 't smallint NOT NULL, key bigint NOT NULL, fp bigint NOT NULL, PRIMARY KEY (part, t, key, fp)')}
`;

/**
 * The table of weights has a megabyte, most of it one value, and each query in its own process reads it. It is deleted
 * here; the `kindred org add` that runs this step measures it again.
 */
const deflatedRarity = `
DELETE FROM kindred.rarity;
ALTER TABLE kindred.rarity DROP weights;
ALTER TABLE kindred.rarity ADD deflated bytea NOT NULL;
ALTER TABLE kindred.rarity ALTER deflated SET STORAGE EXTERNAL;
`;

/**
 * Turns a partitioned table into a single table with the same rows. Rows are copied part by part, so the rows of a part
 * are adjacent.
 *
 * @param keys  statements that create its keys after the rows are copied, which is three times faster
 */
function joined(name: string, keys: string): string {
  return `
ALTER TABLE kindred.${name} RENAME TO ${name}_in_parts;
CREATE TABLE kindred.${name} (LIKE kindred.${name}_in_parts);
INSERT INTO kindred.${name} SELECT * FROM kindred.${name}_in_parts;
DROP TABLE kindred.${name}_in_parts;
${keys};
ANALYZE kindred.${name};
`;
}

/**
 * For each new connection, reading the catalog of 192 partitions and their indexes took longer than a query. Now the
 * first column of each index keeps the rows of a part together.
 */
const withoutPartitions = [
  joined('payload', 'ALTER TABLE kindred.payload ADD PRIMARY KEY (part, content)'),
  joined('fingerprint', 'CREATE INDEX ON kindred.fingerprint (part, view, fp)'),
  joined('block_key', 'ALTER TABLE kindred.block_key ADD PRIMARY KEY (part, t, key, fp)'),
].join('');

/** Statements of each step, separated by semicolons. */
export const migrations: readonly string[] = [[servers, catalogue, shares].join(''), deflatedRarity, withoutPartitions];
