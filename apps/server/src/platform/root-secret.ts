import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StartupError } from './startup-error.ts'
import { createFileOnce, hasErrorCode, makeFolder } from './storage/durable-files.ts'

/** The one secret of an installation. All other secrets are derived from it or encrypted with it. */
export interface RootSecret {
  /** Returns a 32-byte key for one purpose. The keys for different purposes are independent. */
  deriveKey(purpose: string): Buffer
  /** Encrypts for one purpose. The result differs each time, even for the same text. */
  seal(purpose: string, plaintext: string | Uint8Array): string
  /** Decrypts a text that `seal` created for the same purpose. Throws `SealError` if the text was changed. */
  open(purpose: string, sealed: string): Buffer
}

/** A sealed text was changed, or sealed for another purpose or under another root secret. */
export class SealError extends Error {
  override name = 'SealError'
}

const MIN_LENGTH = 32
const FORMAT = 'v1'
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * Returns the configured root secret. If none is configured, returns the content of `secrets/root-secret` in the data
 * folder, which the first start generates. To add a replica, configure it with this content. Throws StartupError if the
 * secret cannot be read or is too short.
 */
export async function loadRootSecret(options: { configured?: string; dataDir: string }): Promise<RootSecret> {
  const text = options.configured ?? (await readOrGenerate(options.dataDir))
  if (text.length < MIN_LENGTH) {
    throw new StartupError(
      `The root secret must have at least ${MIN_LENGTH} characters, but has ${text.length}.`,
    )
  }
  return createRootSecret(text)
}

async function readOrGenerate(dataDir: string): Promise<string> {
  const known = await readRootSecret(dataDir)
  if (known !== null) return known
  await keepRootSecret(dataDir, randomBytes(32).toString('base64url'))
  return (await readRootSecret(dataDir)) ?? ''
}

/** Returns the path of the root secret file. */
export const rootSecretPath = (dataDir: string): string => join(dataDir, 'secrets', 'root-secret')

/** Writes a root secret to a data folder that has none yet. Throws StartupError if writing fails. */
export async function keepRootSecret(dataDir: string, text: string): Promise<void> {
  const path = rootSecretPath(dataDir)
  try {
    await makeFolder(dirname(path))
    await createFileOnce(path, text)
  } catch (error) {
    throw unusable(path, error)
  }
}

function unusable(path: string, error: unknown): StartupError {
  const reason = error instanceof Error ? error.message : String(error)
  return new StartupError(`The root secret in ${path} cannot be read or written: ${reason}.`, {
    cause: error,
  })
}

/**
 * Reads the root secret of a data folder. Returns null if there is none yet. Throws StartupError if reading
 * fails.
 */
export async function readRootSecret(dataDir: string): Promise<string | null> {
  const path = rootSecretPath(dataDir)
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null
    throw unusable(path, error)
  }
}

/** Creates a root secret from its text, from which all keys are derived. */
export function createRootSecret(text: string): RootSecret {
  const deriveKey = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', text, '', `pegasus-ops/${purpose}`, 32))
  return {
    deriveKey,
    seal: (purpose, plaintext) => seal(deriveKey(`seal/${purpose}`), purpose, plaintext),
    open: (purpose, sealed) => unseal(deriveKey(`seal/${purpose}`), purpose, sealed),
  }
}

function seal(key: Buffer, purpose: string, plaintext: string | Uint8Array): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(`${FORMAT}/${purpose}`))
  const body = Buffer.concat([cipher.update(plaintext), cipher.final()])
  return `${FORMAT}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`
}

function unseal(key: Buffer, purpose: string, sealed: string): Buffer {
  const [format, encoded = '', ...rest] = sealed.split('.')
  const bytes = Buffer.from(encoded, 'base64url')
  // Base64 decoding ignores invalid characters, so accept only texts that `seal` could have written.
  const isWellFormed = format === FORMAT && rest.length === 0 && bytes.toString('base64url') === encoded
  if (!isWellFormed || bytes.length < IV_BYTES + TAG_BYTES) throw new SealError('This is not a sealed text.')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.from(`${FORMAT}/${purpose}`))
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
  } catch (error) {
    throw new SealError('The sealed text was changed, or was sealed with another secret.', { cause: error })
  }
}
