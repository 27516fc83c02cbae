import { hash } from 'node:crypto'
import { WEB3_MESSAGE_MIN_LENGTH } from '@pegasus/contracts/auth/hosted-auth'
import { type Clock, MINUTE_MS, addMs } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { auditRefusedSignIn } from '../audit/account-audit.ts'
import type { Device } from '../audit/device.ts'
import type { IdentitySignIn } from '../identities/identity-sign-in.ts'
import type { ProvenIdentity } from '../identities/external-accounts.ts'
import type { Redirects } from '../mail-links/redirects.ts'
import { type AttemptLimits, judged } from '../rate-limit/attempt-limits.ts'
import type { IssuedSession } from '../sessions/sessions.service.ts'
import {
  type SignInMessage,
  WEB3_CHAINS,
  type Web3Chain,
  parseSignInMessage,
  refuseMessage,
} from './sign-in-message.ts'
import type { SignedText } from './signatures.ts'
import { useMessage } from '../sign-in/used-messages.queries.ts'

/**
 * A message is valid from this long before to this long after its time of issue. The clock of the wallet's device may
 * be wrong, and a person needs time to read the message.
 */
const VALIDITY_MS = 10 * MINUTE_MS
const LOCAL_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

export interface Web3Credentials {
  chain: string
  message: string
  signature: string
}

/** Sign-in with a message that a wallet has signed. */
export interface Web3SignIn {
  readonly chains: readonly Web3Chain[]
  /**
   * Opens a session. Each message can open only one session. Throws WEB3_DISABLED, WEB3_CHAIN_UNKNOWN,
   * WEB3_REFUSED, SIGNUP_DISABLED, ACCOUNT_NOT_APPROVED, ACCOUNT_DEACTIVATED, TOO_MANY_SIGN_INS or
   * TOO_MANY_REQUESTS.
   */
  signIn(credentials: Web3Credentials, device: Device): Promise<IssuedSession>
}

function identityOf(chain: Web3Chain, { address, chainId, domain }: SignInMessage): ProvenIdentity {
  // In an Ethereum address, the case of the letters is only a checksum. So the address is stored in lower case.
  const account = chain === 'ethereum' ? address.toLowerCase() : address
  const subject = `web3:${chain}:${account}`
  const claims = { address: account, chain, ...(chainId !== null && { network: chainId }), domain }
  const data = { sub: subject, email_verified: false, phone_verified: false, custom_claims: claims }
  return {
    provider: 'web3',
    label: 'a wallet',
    subject,
    data,
    name: account,
    verifiedEmail: null,
    creationError: null,
  }
}

export function createWeb3SignIn(deps: {
  database: Database
  clock: Clock
  /** The blockchains whose wallets can sign in. */
  chains: readonly Web3Chain[]
  redirects: Pick<Redirects, 'allow'>
  /** Limits wrong signatures. */
  limits: AttemptLimits
  identitySignIn: IdentitySignIn
}): Web3SignIn {
  const { clock, chains, redirects, limits, identitySignIn } = deps

  const readChain = (name: string): Web3Chain => {
    if (chains.length === 0) throw new AppError('WEB3_DISABLED')
    const chain = WEB3_CHAINS.find((known) => known === name)
    if (chain === undefined) throw new AppError('WEB3_CHAIN_UNKNOWN')
    if (!chains.includes(chain)) throw new AppError('WEB3_DISABLED')
    return chain
  }

  const assertForUs = ({ scheme, domain, uri }: SignInMessage): void => {
    if (uri.protocol !== 'https:' && !LOCAL_HOSTS.has(uri.hostname))
      refuseMessage('URI must be an https address')
    if (uri.host !== domain) refuseMessage('The domain and the URI of the message do not match')
    if (scheme !== null && `${scheme}:` !== uri.protocol)
      refuseMessage('The scheme and the URI of the message do not match')
    if (redirects.allow(uri.href) === null) refuseMessage('URI is not an address of this instance')
  }

  const assertTimely = ({ issuedAt, expiresAt, notBefore }: SignInMessage): void => {
    const now = clock.now()
    if (addMs(issuedAt, VALIDITY_MS) <= now) refuseMessage('The message was issued too long ago')
    if (addMs(now, VALIDITY_MS) < issuedAt) refuseMessage('The message was issued in the future')
    if (expiresAt !== null && expiresAt <= now) refuseMessage('The message has expired')
    if (notBefore !== null && notBefore > now) refuseMessage('The message is not valid yet')
  }

  /** Throws WEB3_REFUSED for a wrong signature, and counts it as a failed attempt. */
  const assertSigned = async (chain: Web3Chain, signed: SignedText, device: Device): Promise<void> => {
    const attempt = {
      key: 'web3',
      ip: device.ip,
      onWrong: (tx: Parameters<typeof auditRefusedSignIn>[0]) =>
        auditRefusedSignIn(tx, { account: null, reason: 'wrong_signature' }, device, clock.now()),
    }
    // Import this module when the first wallet signs in, because loading the cryptography would slow down every start.
    const { isSignedBy } = await import('./signatures.ts')
    if (!(await judged(limits, attempt, async () => isSignedBy(chain, signed))))
      refuseMessage('The signature does not match the address of the message')
  }

  return {
    chains,

    async signIn({ chain: name, message: text, signature }, device) {
      const chain = readChain(name)
      if (Buffer.byteLength(text) < WEB3_MESSAGE_MIN_LENGTH)
        throw new AppError('REQUEST_INCOMPLETE', { text: 'message is too short' })
      const message = parseSignInMessage(text, chain)
      assertForUs(message)
      assertTimely(message)
      await assertSigned(chain, { text, address: message.address, signature }, device)
      const messageHash = hash('sha256', `${chain}\n${text}`, 'base64url')
      return identitySignIn.open(identityOf(chain, message), device, {
        method: 'web3',
        async useUp(tx) {
          if (!(await useMessage(tx, messageHash, addMs(message.issuedAt, VALIDITY_MS))))
            refuseMessage('The message has already been used')
        },
      })
    },
  }
}
