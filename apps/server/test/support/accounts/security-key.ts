import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { CreationOptions, CredentialAnswer, RequestOptions } from '@pegasus/contracts/auth/webauthn'

/** The address at which a test app assumes that browsers reach it. */
export const KEY_ORIGIN = 'http://localhost:3000'
export const KEY_SITE = { rpId: 'localhost', rpOrigins: [KEY_ORIGIN] }

type Cbor = number | string | Buffer | Map<number | string, Cbor>

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  if (length < 256) return Buffer.from([(major << 5) | 24, length])
  const bytes = Buffer.alloc(3)
  bytes.writeUInt8((major << 5) | 25)
  bytes.writeUInt16BE(length, 1)
  return bytes
}

/** Encodes a value in CBOR (RFC 8949). Supports only the types that security keys use. */
function encode(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const entries = [...value].flatMap(([key, each]) => [encode(key), encode(each)])
  return Buffer.concat([head(5, value.size), ...entries])
}

const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest()

/** Faults of a page or a security key. Each field replaces a correct value. */
export interface Faults {
  origin?: string
  rpId?: string
  challenge?: string
  type?: 'webauthn.create' | 'webauthn.get'
  crossOrigin?: boolean
  isPersonThere?: boolean
  isPersonVerified?: boolean
  /** The counter that the key signs instead of its own. */
  count?: number
  userHandle?: string
  /** An attestation statement in the format `fmt`, as a manufacturer would add it. */
  attestation?: { fmt: string; statement: Map<number | string, Cbor> }
}

/** A security key in software with one credential on the curve P-256. It shares no code with the server. */
export class SecurityKey {
  readonly id = randomBytes(32)
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  #userHandle: string | undefined
  /** Number of signatures so far. */
  count = 0

  /** Creates the key's credential. */
  create(options: CreationOptions, faults: Faults = {}): CredentialAnswer {
    this.#userHandle = options.user.id
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' })
    const publicKey = new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x ?? '', 'base64url')],
      [-3, Buffer.from(y ?? '', 'base64url')],
    ])
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.id.length)
    const credential = Buffer.concat([Buffer.alloc(16), length, this.id, encode(publicKey)])
    const authData = Buffer.concat([this.#signed(options.rp.id, 0x40, faults), credential])
    const { fmt = 'none', statement = new Map() } = faults.attestation ?? {}
    const attestation = new Map<string, Cbor>([
      ['fmt', fmt],
      ['attStmt', statement],
      ['authData', authData],
    ])
    return this.#answer({
      clientDataJSON: this.#clientData('webauthn.create', options.challenge, faults).toString('base64url'),
      attestationObject: encode(attestation).toString('base64url'),
      transports: ['usb'],
    })
  }

  /** Signs a challenge. */
  get(options: RequestOptions, faults: Faults = {}): CredentialAnswer {
    this.count += 1
    const clientData = this.#clientData('webauthn.get', options.challenge, faults)
    const authData = this.#signed(options.rpId, 0, faults)
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.#keys.privateKey)
    return this.#answer({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: faults.userHandle ?? this.#userHandle,
    })
  }

  #clientData(type: string, challenge: string, faults: Faults): Buffer {
    const data = {
      type: faults.type ?? type,
      challenge: faults.challenge ?? challenge,
      origin: faults.origin ?? KEY_ORIGIN,
      crossOrigin: faults.crossOrigin ?? false,
    }
    return Buffer.from(JSON.stringify(data))
  }

  #signed(rpId: string, flags: number, faults: Faults): Buffer {
    const { isPersonThere = true, isPersonVerified = true, count = this.count } = faults
    const bytes = Buffer.alloc(5)
    bytes.writeUInt8(flags | (isPersonThere ? 0x01 : 0) | (isPersonVerified ? 0x04 : 0))
    bytes.writeUInt32BE(count, 1)
    return Buffer.concat([sha256(faults.rpId ?? rpId), bytes])
  }

  #answer(response: CredentialAnswer['response']): CredentialAnswer {
    const id = this.id.toString('base64url')
    return { id, rawId: id, type: 'public-key', response }
  }
}

/** Returns a response in the form in which a browser gives it to the official client. */
export const inBrowserForm = (answer: CredentialAnswer) => ({ ...answer, toJSON: () => answer }) as never
