import { AppError } from '../../../platform/errors/app-error.ts'

export const WEB3_CHAINS = ['ethereum', 'solana'] as const
export type Web3Chain = (typeof WEB3_CHAINS)[number]

/**
 * The fields of a message that a wallet signs for a sign-in. EIP-4361 defines the format, and Solana uses the same one.
 */
export interface SignInMessage {
  domain: string
  /** The scheme before the domain, such as `https`. Null if there is none. */
  scheme: string | null
  address: string
  uri: URL
  /** Null if the message has no chain ID, which only Solana allows. */
  chainId: string | null
  issuedAt: Date
  expiresAt: Date | null
  notBefore: Date | null
}

const HEADER =
  /^(?:(https?):\/\/)?([^\s/@\\]{1,260}) wants you to sign in with your (Ethereum|Solana) account:$/
/**
 * Matches every control character except the line feed. Messages with such characters are refused, because a wallet
 * might display them differently.
 */
const CONTROL = /[\p{Cc}--\n]/v
const FIELD = /^([A-Z][A-Za-z ]{1,20}): (\S.*)$/
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/
const NONCE = /^[A-Za-z0-9]{8,128}$/
const FIELDS: ReadonlySet<string> = new Set([
  'URI',
  'Version',
  'Chain ID',
  'Nonce',
  'Issued At',
  'Expiration Time',
  'Not Before',
  'Request ID',
])
const ADDRESS = { ethereum: /^0x[0-9a-fA-F]{40}$/, solana: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/ }
const CHAIN_ID = {
  ethereum: /^[1-9]\d{0,15}$/,
  solana: /^(?:solana:)?(?:mainnet|testnet|devnet|localnet)$/,
}

/** Throws WEB3_REFUSED with this message as the reason. */
export const refuseMessage = (message: string): never => {
  throw new AppError('WEB3_REFUSED', { text: message })
}

/**
 * Returns the index of the first line with a field. The lines before it are the address, an empty line, and possibly a
 * statement with another empty line.
 */
function fieldsFrom(lines: readonly string[]): number {
  if (lines[2] !== '') refuseMessage('The third line of the message must be empty')
  if (lines[3] === '') return 4
  return lines[4] === '' ? 5 : 3
}

/** Reads the fields. Refuses unknown lines and repeated fields, so that a message has only one meaning. */
function readFields(lines: readonly string[]): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  for (const [index, line] of lines.entries()) {
    if (/^Resources:?$/.test(line)) {
      if (!lines.slice(index + 1).every((resource) => resource.startsWith('- ')))
        refuseMessage('Resources must be the end of the message')
      return fields
    }
    const [, name = '', value = ''] = FIELD.exec(line) ?? []
    if (!FIELDS.has(name)) refuseMessage(`The message has an unknown line after its statement`)
    if (fields.has(name)) refuseMessage(`The message contains ${name} twice`)
    fields.set(name, value)
  }
  return fields
}

function readTime(fields: ReadonlyMap<string, string>, name: string): Date | null {
  const text = fields.get(name)
  if (text === undefined) return null
  const time = new Date(TIME.test(text) ? text : Number.NaN)
  return Number.isNaN(time.getTime()) ? refuseMessage(`${name} is not a valid time`) : time
}

/** Parses a message. Throws WEB3_REFUSED, with the reason, unless the message has exactly this format. */
export function parseSignInMessage(text: string, chain: Web3Chain): SignInMessage {
  if (CONTROL.test(text)) refuseMessage('The message contains control characters')
  const lines = text.split('\n')
  const [, scheme = null, domain = '', name = ''] = HEADER.exec(lines[0] ?? '') ?? []
  if (name.toLowerCase() !== chain)
    refuseMessage('The first line of the message does not ask for a sign-in on this chain')
  const address = lines[1] ?? ''
  if (!ADDRESS[chain].test(address))
    refuseMessage('The second line of the message is not an address of this chain')
  const fields = readFields(lines.slice(fieldsFrom(lines)))
  if (fields.get('Version') !== '1') refuseMessage('Version must be 1')
  const uri = fields.get('URI') ?? ''
  if (!URL.canParse(uri)) refuseMessage('URI is missing or not valid')
  const chainId = fields.get('Chain ID') ?? null
  if (chainId === null ? chain === 'ethereum' : !CHAIN_ID[chain].test(chainId))
    refuseMessage('Chain ID is missing or not valid')
  const nonce = fields.get('Nonce')
  if (nonce !== undefined && !NONCE.test(nonce))
    refuseMessage('Nonce must have at least 8 letters and digits')
  return {
    domain: domain.toLowerCase(),
    scheme,
    address,
    uri: new URL(uri),
    chainId,
    issuedAt: readTime(fields, 'Issued At') ?? refuseMessage('Issued At is missing'),
    expiresAt: readTime(fields, 'Expiration Time'),
    notBefore: readTime(fields, 'Not Before'),
  }
}
