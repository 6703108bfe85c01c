/**
 * Address of the organization's index and its password. In order of precedence: a complete address in the editor's
 * secret storage; the setting, with its stored password; the environment variable of the command line. None of them is
 * in a workspace or a project's file, so an opened folder cannot redirect texts.
 */
import * as vscode from 'vscode';
import { inBrowser } from '../inBrowser.ts';
import { readOrganisationDatabase } from '../settings.ts';

/** Also set in the terminal, for the command line. */
const variable = 'KINDRED_DATABASE';
const settingName = 'kindred.organisation.database';
const secretKey = 'organisation.database';

/** Stored secret. A password is only used with the address that it was entered for. */
type Secret = { readonly address: string } | { readonly password: string; readonly of: string };

export interface OrganisationAddress {
  /** Server addresses separated by commas, with passwords. */
  readonly addresses: string;
  /** User-facing names of both settings, for messages. */
  readonly setting: { readonly address: string; readonly password: string };
}

export class OrganisationDatabase {
  readonly #secrets: vscode.SecretStorage;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires if the address may have changed. */
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

  /** Returns `undefined` if no database is set, or the problem of an invalid one. */
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
    const inherited = inBrowser ? '' : (process.env[variable] ?? '').trim();
    return inherited === '' ? undefined : { addresses: inherited, setting: { address: variable, password: variable } };
  }

  /** Stores a password for the configured address, or a complete address. */
  async keep(given: string): Promise<void> {
    const secret: Secret = isAddress(given) ? { address: given } : { password: given, of: readOrganisationDatabase() };
    await this.#secrets.store(secretKey, JSON.stringify(secret));
  }

  /** Returns true if there was a secret. */
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

/** Returns an error message for invalid input; `undefined` if it can be stored. */
export function problemOfSecret(typed: string): string | undefined {
  const given = typed.trim();
  if (given === '' || isAddress(given)) return undefined;
  if (/^\w+:\/\//.test(given))
    return vscode.l10n.t('Write the address as postgres://USER:PASSWORD@HOST:PORT/DATABASE.');
  return readOrganisationDatabase() === ''
    ? vscode.l10n.t('Enter a complete address, or set {0} first.', settingName)
    : undefined;
}

/** Returns the title of the command that stores a secret. */
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

/** Adds the password as a parameter, which all forms of addresses support. */
function withPassword(written: string, password: string): string {
  const given = `password=${encodeURIComponent(password)}`;
  return addressesIn(written)
    .map((address) => `${address}${address.includes('?') ? '&' : '?'}${given}`)
    .join(',');
}
