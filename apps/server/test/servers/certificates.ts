import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { DER, der, derTime } from '../../src/platform/der.ts'

/** A server's certificate and key, both as PEM. */
export interface Certificate {
  cert: string
  key: string
}

export interface Authority {
  /** The authority's own certificate as PEM. */
  cert: string
  /** A self-signed certificate, with which the authority acts as a server itself. */
  itself: Certificate
  /**
   * Issues a certificate for a name or an IPv4 address. It is valid from one day ago until this number of days from
   * now.
   */
  issue(name: string, options?: { days?: number }): Certificate
}

const DAY_MS = 24 * 60 * 60_000

const COMMON_NAME = [0x06, 0x03, 0x55, 0x04, 0x03]
const BASIC_CONSTRAINTS = [0x06, 0x03, 0x55, 0x1d, 0x13]
const SUBJECT_ALT_NAME = [0x06, 0x03, 0x55, 0x1d, 0x11]
const TRUE = [0x01, 0x01, 0xff]
/** The signature algorithm ecdsa-with-SHA256, encoded in DER. */
const ALGORITHM = [0x30, 0x0a, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]

const nameOf = (name: string) =>
  der(DER.sequence, der(DER.set, der(DER.sequence, COMMON_NAME, der(0x0c, Buffer.from(name)))))

function altNameOf(name: string): Buffer {
  const one = isIPv4(name) ? der(0x87, name.split('.').map(Number)) : der(0x82, Buffer.from(name))
  return der(DER.sequence, SUBJECT_ALT_NAME, der(0x04, der(DER.sequence, one)))
}

const pem = (bytes: Uint8Array): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(bytes)
    .toString('base64')
    .replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`

/** Creates a minimal X.509 certificate of version 3 (RFC 5280) that clients accept. */
function certify(
  subject: { name: string; key: KeyObject; extension: Buffer; until: number },
  issuer: { name: string; key: KeyObject },
): string {
  const from = Math.min(Date.now(), subject.until) - DAY_MS
  const content = der(
    DER.sequence,
    der(0xa0, der(0x02, [2])),
    der(0x02, [1, ...randomBytes(15)]),
    ALGORITHM,
    nameOf(issuer.name),
    der(DER.sequence, derTime(new Date(from)), derTime(new Date(subject.until))),
    nameOf(subject.name),
    subject.key.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(DER.sequence, subject.extension)),
  )
  return pem(der(DER.sequence, content, ALGORITHM, der(0x03, [0], sign('sha256', content, issuer.key))))
}

const aKeyPair = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' })

/** Creates a certificate authority that clients trust only if it is configured. */
export function anAuthority(name = 'An authority of tests'): Authority {
  const own = aKeyPair()
  const until = Date.now() + 10 * DAY_MS
  const extension = der(DER.sequence, BASIC_CONSTRAINTS, TRUE, der(0x04, der(DER.sequence, TRUE)))
  const issuer = { name, key: own.privateKey }
  const cert = certify({ name, key: own.publicKey, extension, until }, issuer)
  const privatePem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString()
  return {
    cert,
    itself: { cert, key: privatePem(own.privateKey) },
    issue(subject, { days = 5 } = {}) {
      const { publicKey: key, privateKey } = aKeyPair()
      const leaf = { name: subject, key, extension: altNameOf(subject), until: Date.now() + days * DAY_MS }
      return { cert: certify(leaf, issuer), key: privatePem(privateKey) }
    },
  }
}
