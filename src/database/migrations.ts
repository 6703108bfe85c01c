/**
 * The tables of an index, as the steps that lead to them: the step at place `i` leads from version `i` to `i + 1`. A step
 * that was released is never changed; a further one follows it.
 *
 * All is in the schema `kindred`, so that rights can be granted for it and nothing else, and `DROP SCHEMA kindred CASCADE`
 * removes it. Every server has all tables. Those with a column `part` are split: each server has the rows of its parts. Of the
 * others only those of the home are used.
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
 * A table that is split, with a partition for each part.
 *
 * @param rest  of its definition: columns, and a primary key if it has one
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
 * The table of weights is a megabyte, most of it one value, and every look-up in a program of its own reads it. There is none
 * until it is measured again, by the `kindred org add` that does this step.
 */
const deflatedRarity = `
DELETE FROM kindred.rarity;
ALTER TABLE kindred.rarity DROP weights;
ALTER TABLE kindred.rarity ADD deflated bytea NOT NULL;
ALTER TABLE kindred.rarity ALTER deflated SET STORAGE EXTERNAL;
`;

/**
 * A table that was partitioned, with the same rows as a table of its own. They come part by part, so those of a part lie
 * beside each other.
 *
 * @param keys  statements that make its keys, when the rows are there: three times faster than before
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
 * The catalogue of 192 partitions and their indexes took each new connection longer to read than a look-up takes. Parts are
 * kept together by the first column of each index.
 */
const withoutPartitions = [
  joined('payload', 'ALTER TABLE kindred.payload ADD PRIMARY KEY (part, content)'),
  joined('fingerprint', 'CREATE INDEX ON kindred.fingerprint (part, view, fp)'),
  joined('block_key', 'ALTER TABLE kindred.block_key ADD PRIMARY KEY (part, t, key, fp)'),
].join('');

/** Statements of each step, with semicolons between them. */
export const migrations: readonly string[] = [[servers, catalogue, shares].join(''), deflatedRarity, withoutPartitions];
