/**
 * Where the organisation's index is, and who may know its password. The first of these counts: a whole address in the
 * editor's secret storage; the setting, with the password that is kept for it; the environment variable of the command line.
 * None of them is in a workspace or a project's file, so whatever folder is open, nobody else decides where texts go.
 */
import * as vscode from 'vscode';
import { readOrganisationDatabase } from '../settings.ts';

/** Also in the terminal, for the command line. */
const variable = 'KINDRED_DATABASE';
const settingName = 'kindred.organisation.database';
const secretKey = 'organisation.database';

/** What is kept as a secret. A password counts for the address that it was given for: no other server is told it. */
type Secret = { readonly address: string } | { readonly password: string; readonly of: string };

export interface OrganisationAddress {
  /** Of the servers, with commas between them, with passwords. */
  readonly addresses: string;
  /** What a person calls the places of both, for messages. */
  readonly setting: { readonly address: string; readonly password: string };
}

export class OrganisationDatabase {
  readonly #secrets: vscode.SecretStorage;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Tells when another address may count. */
  readonly onDidChange = this.#changed.event;
  readonly #listening: vscode.Disposable;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
    this.#listening = vscode.Disposable.from(
      this.#changed,
      secrets.onDidChange(({ key }) => {
        if (key === secretKey) this.#changed.fire();
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(settingName)) this.#changed.fire();
      }),
    );
  }

  /** Undefined where nothing names a database; or why what does cannot be used. */
  async address(): Promise<OrganisationAddress | { readonly problem: string } | undefined> {
    const secret = await this.#read();
    if (secret && 'address' in secret) {
      return {
        addresses: secret.address,
        setting: { address: 'the stored address', password: command() },
      };
    }
    const written = readOrganisationDatabase();
    if (written !== '') {
      if (hasPassword(written)) {
        const problem = vscode.l10n.t(
          'Remove the password from {0}, and run "{1}" to keep it as a secret.',
          settingName,
          command(),
        );
        return { problem };
      }
      const addresses = secret?.of === written ? withPassword(written, secret.password) : written;
      return { addresses, setting: { address: settingName, password: command() } };
    }
    const inherited = (process.env[variable] ?? '').trim();
    return inherited === '' ? undefined : { addresses: inherited, setting: { address: variable, password: variable } };
  }

  /** Takes a password for what the setting says, or a whole address, and keeps it. */
  async keep(given: string): Promise<void> {
    const secret: Secret = isAddress(given) ? { address: given } : { password: given, of: readOrganisationDatabase() };
    await this.#secrets.store(secretKey, JSON.stringify(secret));
  }

  /** Returns whether there was something. */
  async forget(): Promise<boolean> {
    const known = await this.#secrets.get(secretKey);
    await this.#secrets.delete(secretKey);
    return known !== undefined;
  }

  async #read(): Promise<Secret | undefined> {
    const stored = await this.#secrets.get(secretKey);
    return stored === undefined ? undefined : (JSON.parse(stored) as Secret);
  }

  dispose(): void {
    this.#listening.dispose();
  }
}

/** What is wrong with what somebody types, in a sentence; undefined when it can be kept. */
export function problemOfSecret(typed: string): string | undefined {
  const given = typed.trim();
  if (given === '' || isAddress(given)) return undefined;
  if (/^\w+:\/\//.test(given))
    return vscode.l10n.t('Write the address as postgres://USER:PASSWORD@HOST:PORT/DATABASE.');
  return readOrganisationDatabase() === ''
    ? vscode.l10n.t('Enter a whole address, or set {0} first.', settingName)
    : undefined;
}

/** The title of the command that keeps a secret. */
function command(): string {
  return vscode.l10n.t('Kindred: Set Organisation Database Password…');
}

function isAddress(text: string): boolean {
  return /^postgres(?:ql)?:\/\/\S+$/.test(text.trim());
}

function addressesIn(text: string): string[] {
  return text.split(/,(?=\s*postgres(?:ql)?:)/).map((address) => address.trim());
}

function hasPassword(written: string): boolean {
  return addressesIn(written).some((address) => /^postgres(?:ql)?:\/\/[^/?#@]*:[^/?#]*@|[?&]password=/i.test(address));
}

/** As a parameter, which addresses of every form have room for. */
function withPassword(written: string, password: string): string {
  const given = `password=${encodeURIComponent(password)}`;
  return addressesIn(written)
    .map((address) => `${address}${address.includes('?') ? '&' : '?'}${given}`)
    .join(',');
}
