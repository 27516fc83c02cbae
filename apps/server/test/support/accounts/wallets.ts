import { type KeyObject, generateKeyPairSync, sign } from 'node:crypto'
import { base58 } from '@scure/base'
import { Wallet } from 'ethers'

/** A wallet as a page sees it. It signs every message. */
export interface TestWallet {
  chain: 'ethereum' | 'solana'
  address: string
  /** Signs a message. Returns the signature in the format of the protocol. */
  sign(message: string): Promise<string>
}

export function anEthereumWallet(): TestWallet {
  const wallet = Wallet.createRandom()
  return {
    chain: 'ethereum',
    address: wallet.address,
    sign: (message) => wallet.signMessage(message),
  }
}

const addressOf = (publicKey: KeyObject): string =>
  base58.encode(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'))

/** Creates a Solana wallet. `envelope` wraps each message before it is signed, as hardware wallets do. */
export function aSolanaWallet(envelope: (message: Buffer) => Buffer = (message) => message): TestWallet {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return {
    chain: 'solana',
    address: addressOf(publicKey),
    sign: async (message) => sign(null, envelope(Buffer.from(message)), privateKey).toString('base64url'),
  }
}

/** Returns the interface that the official client expects from an Ethereum wallet (EIP-1193). */
export const ethereumProvider = (wallet: TestWallet) => ({
  address: wallet.address,
  async request({ method, params }: { method: string; params?: unknown }): Promise<unknown> {
    if (method === 'eth_requestAccounts') return [wallet.address]
    if (method === 'eth_chainId') return '0x1'
    const [hex = ''] = params as string[]
    return wallet.sign(Buffer.from(hex.slice(2), 'hex').toString())
  },
  on: () => undefined,
  removeListener: () => undefined,
})

/** Returns the interface that the official client expects from a Solana wallet. */
export const solanaProvider = (wallet: TestWallet) => ({
  publicKey: { toBase58: () => wallet.address },
  signMessage: async (message: Uint8Array) =>
    new Uint8Array(Buffer.from(await wallet.sign(Buffer.from(message).toString()), 'base64url')),
})
