import { createPublicKey, verify } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58 } from '@scure/base'
import type { Web3Chain } from './sign-in-message.ts'

export interface SignedText {
  text: string
  /** The address as written in the message. */
  address: string
  signature: string
}

const ETHEREUM_SIGNATURE = /^0x[0-9a-fA-F]{130}$/
const SOLANA_SIGNATURE = /^[A-Za-z0-9+/_-]{86}(?:==)?$/
const SOLANA_KEY_BYTES = 32

/** Returns the digest that `personal_sign` signs. */
function personalDigest(text: string): Uint8Array {
  const bytes = Buffer.from(text)
  return keccak_256(Buffer.concat([Buffer.from(`\u0019Ethereum Signed Message:\n${bytes.length}`), bytes]))
}

function isEthereumSignature({ text, address, signature }: SignedText): boolean {
  if (!ETHEREUM_SIGNATURE.test(signature)) return false
  const bytes = Buffer.from(signature.slice(2), 'hex')
  const last = bytes.at(-1) ?? 0
  const recovery = last >= 27 ? last - 27 : last
  if (recovery > 1) return false
  try {
    const parts = secp256k1.Signature.fromBytes(bytes.subarray(0, 64), 'compact')
    // Each signature has a second valid form, which anybody can compute from the first. Wallets do not produce it, so
    // refuse it.
    if (parts.hasHighS()) return false
    const key = parts.addRecoveryBit(recovery).recoverPublicKey(personalDigest(text)).toBytes(false)
    const signer = Buffer.from(keccak_256(key.subarray(1)).subarray(-20)).toString('hex')
    return `0x${signer}` === address.toLowerCase()
  } catch {
    // The library throws if the numbers in the signature are not a point on the curve.
    return false
  }
}

/**
 * Returns the bytes that hardware wallets sign for a text: the marker of an off-chain message, version 0, the format,
 * the length and the text.
 */
function offChainEnvelope(text: Buffer, format: number): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16LE(text.length)
  return Buffer.concat([
    Buffer.from([0xff]),
    Buffer.from('solana offchain'),
    Buffer.from([0, format]),
    length,
    text,
  ])
}

function isSolanaSignature({ text, address, signature }: SignedText): boolean {
  if (!SOLANA_SIGNATURE.test(signature)) return false
  const bytes = base58.decode(address)
  if (bytes.length !== SOLANA_KEY_BYTES) return false
  const x = Buffer.from(bytes).toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const signed = Buffer.from(text)
  return [signed, offChainEnvelope(signed, 0), offChainEnvelope(signed, 1)].some((form) =>
    verify(null, form, key, Buffer.from(signature, 'base64')),
  )
}

/** Returns whether the account with this address signed the text. */
export const isSignedBy = (chain: Web3Chain, signed: SignedText): boolean =>
  chain === 'ethereum' ? isEthereumSignature(signed) : isSolanaSignature(signed)
