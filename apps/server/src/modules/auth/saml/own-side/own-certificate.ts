import { type KeyObject, createPublicKey, hash, sign } from 'node:crypto'
import { DER, der, derTime } from '../../../../platform/der.ts'

/** The algorithm identifier of sha256WithRSAEncryption, encoded in DER. */
const ALGORITHM = der(
  DER.sequence,
  [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b],
  [0x05, 0x00],
)
const COMMON_NAME = [0x06, 0x03, 0x55, 0x04, 0x03]
const VERSION_3 = [0xa0, 0x03, 0x02, 0x01, 0x02]
const FROM = new Date('2020-01-01T00:00:00Z')
const UNTIL = new Date('2049-12-31T23:59:59Z')

/**
 * Returns a self-signed certificate for our key, encoded in DER. Providers use only the public key in it. It depends
 * only on the key, so all replicas publish the same certificate.
 */
export function ownCertificate(privateKey: KeyObject, name: string): Buffer {
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  const serial = hash('sha256', publicKey, 'buffer').subarray(0, 16)
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x01
  const party = der(
    DER.sequence,
    der(DER.set, der(DER.sequence, COMMON_NAME, der(DER.text, Buffer.from(name)))),
  )
  const signed = der(
    DER.sequence,
    VERSION_3,
    der(DER.integer, serial),
    ALGORITHM,
    party,
    der(DER.sequence, derTime(FROM), derTime(UNTIL)),
    party,
    publicKey,
  )
  return der(DER.sequence, signed, ALGORITHM, der(DER.bits, [0], sign('sha256', signed, privateKey)))
}
