import {
  type CipherGCM,
  createCipheriv,
  createDecipheriv,
  createHash,
  type DecipherGCM,
  randomBytes,
  randomUUID,
  scryptSync,
} from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Readable, Transform, type TransformCallback } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { hasErrorCode, makeFolder, renameDurably } from '../../platform/storage/durable-files.ts'
import { BackupError } from './backup-format.ts'

/**
 * The first bytes of each encrypted file: the name and version of the format. After them come the salt and the nonce.
 */
const MAGIC = Buffer.from('PGOPSBK1')
const SALT_BYTES = 16
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEADER_BYTES = MAGIC.length + SALT_BYTES + NONCE_BYTES
const KEY_BYTES = 32
/** The cost of deriving a key from the passphrase: 32 MiB and about 0.1 seconds. */
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 }

/** Encrypts and decrypts the files of a backup with a passphrase, by AES-256-GCM. */
export class FileCipher {
  readonly #passphrase: string
  /** This process uses one salt for all files that it writes, because deriving a key takes a tenth of a second. */
  readonly #salt = randomBytes(SALT_BYTES)
  readonly #keys = new Map<string, Buffer>()

  constructor(passphrase: string) {
    this.#passphrase = passphrase
  }

  encrypt(): Transform {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#keyOf(this.#salt), nonce)
    return sealing(cipher, Buffer.concat([MAGIC, this.#salt, nonce]))
  }

  /**
   * Returns a stream that decrypts a file. It fails with BackupError if the passphrase is wrong or the file was
   * changed.
   */
  decrypt(): Transform {
    return unsealing((salt, nonce) => createDecipheriv('aes-256-gcm', this.#keyOf(salt), nonce))
  }

  #keyOf(salt: Buffer): Buffer {
    const name = salt.toString('hex')
    const key = this.#keys.get(name) ?? scryptSync(this.#passphrase, salt, KEY_BYTES, SCRYPT)
    this.#keys.set(name, key)
    return key
  }
}

function sealing(cipher: CipherGCM, header: Buffer): Transform {
  let isFirst = true
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (isFirst) this.push(header)
      isFirst = false
      done(null, cipher.update(chunk))
    },
    flush(done) {
      if (isFirst) this.push(header)
      this.push(cipher.final())
      done(null, cipher.getAuthTag())
    },
  })
}

function unsealing(begin: (salt: Buffer, nonce: Buffer) => DecipherGCM): Transform {
  let decipher: DecipherGCM | null = null
  let pending = Buffer.alloc(0)
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      pending = Buffer.concat([pending, chunk])
      if (decipher === null) {
        if (pending.length < HEADER_BYTES) return done()
        if (!pending.subarray(0, MAGIC.length).equals(MAGIC))
          return done(new BackupError('A file is not encrypted.'))
        const [from, to] = [MAGIC.length, MAGIC.length + SALT_BYTES]
        decipher = begin(pending.subarray(from, to), pending.subarray(to, HEADER_BYTES))
        pending = pending.subarray(HEADER_BYTES)
      }
      // The last bytes of the file are the authentication tag, so hold them back.
      const ready = pending.subarray(0, Math.max(0, pending.length - TAG_BYTES))
      pending = pending.subarray(ready.length)
      done(null, decipher.update(ready))
    },
    flush(done) {
      try {
        if (decipher === null || pending.length < TAG_BYTES) throw new Error('cut off')
        decipher.setAuthTag(pending)
        done(null, decipher.final())
      } catch {
        done(new BackupError('A file cannot be decrypted. BACKUP_KEY is wrong, or the file was changed.'))
      }
    },
  })
}

/** Counts and hashes the bytes that pass through. */
class Meter extends Transform {
  sizeBytes = 0
  readonly #hash = createHash('sha256')

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#hash.update(chunk)
    this.sizeBytes += chunk.length
    done(null, chunk)
  }

  /** Returns the hash of all bytes. Call this once, at the end. */
  sha256(): string {
    return this.#hash.digest('hex')
  }
}

/** How a file of a backup is stored: whether it is compressed, and with which cipher it is encrypted, if any. */
export interface FileOptions {
  cipher: FileCipher | null
  isCompressed: boolean
}

/** A stored file, and the hash of its content before compression and encryption. */
export interface WrittenFile {
  path: string
  sizeBytes: number
  sha256: string
  contentBytes: number
  contentSha256: string
}

/**
 * Writes a file completely and durably. The file gets its name only at the end, so a file with this name is always
 * complete. The name may depend on the hash of the stored bytes.
 */
export async function writeFileWhole(
  folder: string,
  name: string | ((sha256: string) => string),
  source: Readable,
  { cipher, isCompressed }: FileOptions,
): Promise<WrittenFile> {
  await makeFolder(folder)
  const unfinished = join(folder, `${randomUUID()}.part`)
  const [content, written] = [new Meter(), new Meter()]
  const steps = [...(isCompressed ? [createGzip()] : []), ...(cipher ? [cipher.encrypt()] : [])]
  try {
    await pipeline([source, content, ...steps, written, createWriteStream(unfinished, { mode: 0o600 })])
    const handle = await open(unfinished, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
    const sha256 = written.sha256()
    const path = join(folder, typeof name === 'string' ? name : name(sha256))
    await makeFolder(dirname(path))
    await renameDurably(unfinished, path)
    return {
      path,
      sha256,
      sizeBytes: written.sizeBytes,
      contentBytes: content.sizeBytes,
      contentSha256: content.sha256(),
    }
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** Returns a stream with the content that `writeFileWhole` stored. */
export function readFileWhole(path: string, { cipher, isCompressed }: FileOptions): Readable {
  const steps: Transform[] = [
    ...(cipher ? [cipher.decrypt()] : []),
    ...(isCompressed ? [createGunzip()] : []),
  ]
  let stream: Readable = createReadStream(path)
  for (const step of steps) {
    const source = stream
    source.once('error', (error) => step.destroy(error))
    stream = source.pipe(step)
  }
  return stream
}

/** Returns the size in bytes and the hash of a stored file. Returns null if the file does not exist. */
export async function measureFile(path: string): Promise<{ sizeBytes: number; sha256: string } | null> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      hash.update(chunk)
      sizeBytes += chunk.length
    }
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null
    throw error
  }
  return { sizeBytes, sha256: hash.digest('hex') }
}

/** Returns the size of a file in bytes; null if it does not exist. */
export async function sizeOfFile(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null
    throw error
  }
}

/** Returns whether a file is encrypted. Throws BackupError if the file cannot be read. */
export async function isEncrypted(path: string): Promise<boolean> {
  try {
    return (await readFile(path)).subarray(0, MAGIC.length).equals(MAGIC)
  } catch (error) {
    throw new BackupError(`There is no backup here: ${path} cannot be read.`, { cause: error })
  }
}
