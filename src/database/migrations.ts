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
-- Home. Documents count whose generation is the one of their repository: others are being written, or left to be removed.
CREATE TABLE kindred.repository (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE,
  origin text,
  commit text,
  generation bigint,
  documents integer NOT NULL DEFAULT 0,
  lines bigint NOT NULL DEFAULT 0,
  stored_at timestamptz NOT NULL DEFAULT now()
);
CREATE SEQUENCE kindred.generation;
-- Home: generations that were begun and are not live, written before their first row, so that their rows can be removed.
CREATE TABLE kindred.garbage (
  generation bigint PRIMARY KEY,
  repository integer NOT NULL,
  since timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE kindred.document (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  repository integer NOT NULL,
  generation bigint NOT NULL,
  path text NOT NULL,
  language text NOT NULL,
  digest bytea NOT NULL,
  lines integer NOT NULL,
  UNIQUE (repository, generation, path)
);
-- How rare each token is, one table an epoch.
CREATE TABLE kindred.rarity (
  epoch integer PRIMARY KEY,
  documents bigint NOT NULL,
  payload bytea NOT NULL,
  since timestamptz NOT NULL DEFAULT now()
);
-- What workers do. A task whose lease has run out is taken by another.
CREATE TABLE kindred.task (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run bigint NOT NULL,
  kind text NOT NULL,
  payload jsonb NOT NULL,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'taken', 'done')),
  worker text,
  lease_until timestamptz,
  result bytea
);
CREATE INDEX ON kindred.task (run, kind, state);
`;

/** A table that is split, with a partition for each part. */
function split(name: string, columns: string, key: string): string {
  return `
CREATE TABLE kindred.${name} (part smallint NOT NULL, ${columns}, PRIMARY KEY (${key})) PARTITION BY LIST (part);
DO $$ BEGIN
  FOR part IN 0..${defaultParts - 1} LOOP
    EXECUTE format('CREATE TABLE kindred.%I PARTITION OF kindred.${name} FOR VALUES IN (%s)', '${name}_p' || part, part);
  END LOOP;
END $$;
`;
}

/** Statements of each step, with semicolons between them. */
export const migrations: readonly string[] = [
  [
    servers,
    catalogue,
    split('content', 'document integer NOT NULL, payload bytea NOT NULL', 'part, document'),
    split(
      'seed',
      't smallint NOT NULL, key integer NOT NULL, fp bigint NOT NULL, win bigint NOT NULL',
      'part, t, key, fp, win',
    ),
    split(
      'band',
      'band smallint NOT NULL, hash bigint NOT NULL, document integer NOT NULL',
      'part, band, hash, document',
    ),
  ].join(''),
];
