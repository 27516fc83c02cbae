import { describe, expect, it } from 'vitest'
import {
  anEthereumWallet,
  aSolanaWallet,
  ethereumProvider,
  solanaProvider,
  type TestWallet,
} from '../../../../test/support/accounts/wallets.ts'
import { officialClient } from '../../../../test/support/accounts/official-client.ts'
import { claimsOf } from '../../../../test/support/accounts/second-factor.ts'
import { asOwner } from '../../../../test/support/accounts/service-keys.ts'
import { PASSWORD, type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { MINUTE_MS, SECOND_MS } from '../../../platform/clock.ts'

const SITE = 'https://ops.example.com/'
const WALLETS = {
  PUBLIC_URL: SITE,
  GOTRUE_EXTERNAL_WEB3_ETHEREUM_ENABLED: 'true',
  GOTRUE_EXTERNAL_WEB3_SOLANA_ENABLED: 'true',
}
const anApp = (variables: Record<string, string> = {}) =>
  buildTestApp({ variables: { SIGNUPS: 'open', ...WALLETS, ...variables } })

const ago = (app: TestApp, ms: number): string => new Date(app.clock.now().getTime() - ms).toISOString()

/** Returns a message with which a sign-in succeeds. `changes` replaces lines, or removes them if the value is null. */
function messageOf(app: TestApp, wallet: TestWallet, changes: Record<string, string | null> = {}): string {
  const lines: Record<string, string | null> = {
    header: `ops.example.com wants you to sign in with your ${wallet.chain === 'ethereum' ? 'Ethereum' : 'Solana'} account:`,
    address: wallet.address,
    empty: '',
    statement: 'Sign in to Pegasus Ops',
    space: '',
    uri: `URI: ${SITE}`,
    version: 'Version: 1',
    chain: wallet.chain === 'ethereum' ? 'Chain ID: 1' : 'Chain ID: mainnet',
    nonce: 'Nonce: 12345678',
    issued: `Issued At: ${app.clock.now().toISOString()}`,
    ...changes,
  }
  return Object.values(lines)
    .filter((line) => line !== null)
    .join('\n')
}

const post = (app: TestApp, payload: Record<string, unknown>) =>
  app.http.inject({
    method: 'POST',
    url: '/auth/v1/token?grant_type=web3',
    headers: { 'x-supabase-api-version': '2024-01-01' },
    payload,
  })

async function trySign(app: TestApp, wallet: TestWallet, message: string) {
  return post(app, { chain: wallet.chain, message, signature: await wallet.sign(message) })
}

const reasonOf = ({ statusCode, body }: Awaited<ReturnType<typeof post>>): string => {
  const { error, error_description: reason, code, message } = JSON.parse(body)
  return `${statusCode} ${code ?? error} ${code ? message : reason}`
}

describe('POST /auth/v1/token?grant_type=web3', () => {
  describe('valid wallet sign-ins', () => {
    it('the official client signs in with an Ethereum wallet, and gets the same account the next time', async () => {
      const app = await anApp()
      const wallet = anEthereumWallet()
      const client = await officialClient(app)
      const signIn = () =>
        client.signInWithWeb3({
          chain: 'ethereum',
          wallet: ethereumProvider(wallet) as never,
          statement: 'Sign in to Pegasus Ops',
          options: { url: SITE },
        })
      const { error, data } = await signIn()
      expect(error).toBeNull()
      const address = wallet.address.toLowerCase()
      expect(data.user).toMatchObject({
        email: '',
        is_anonymous: false,
        app_metadata: { provider: 'web3', providers: ['web3'] },
        identities: [
          {
            provider: 'web3',
            id: `web3:ethereum:${address}`,
            identity_data: {
              sub: `web3:ethereum:${address}`,
              custom_claims: { address, chain: 'ethereum', network: '1', domain: 'ops.example.com' },
            },
          },
        ],
      })
      expect(data.user?.email_confirmed_at).toBeUndefined()
      expect(data.user?.identities?.[0]?.last_sign_in_at).toBeTruthy()
      expect(claimsOf(data.session?.access_token ?? '')).toMatchObject({
        email: '',
        amr: [{ method: 'web3' }],
        aal: 'aal1',
      })
      const authorization = `Bearer ${data.session?.access_token}`
      const me = await app.http.inject({ url: '/api/auth/me', headers: { authorization } })
      expect(me.json()).toMatchObject({ username: address, email: '', role: 'viewer' })
      const people = await app.http.inject({ url: '/api/auth/users?search=0x', headers: await asOwner(app) })
      expect(people.json()).toMatchObject([{ username: address, email: '', status: 'active' }])
      app.clock.advance(SECOND_MS)
      const again = await signIn()
      expect(again.data.user?.id).toBe(data.user?.id)
      const audit = await app.database.sql<{ action: string }[]>`
        select action from audit_entries where entity_id = ${data.user?.id ?? ''} or actor_id = ${data.user?.id ?? ''} order by at, id`
      expect(audit.map(({ action }) => action)).toEqual([
        'account.signed_up',
        'session.opened',
        'session.opened',
      ])
    })

    it('the official client signs in with Solana wallets, including a hardware wallet', async () => {
      const app = await anApp()
      const envelope = (message: Buffer): Buffer => {
        const length = Buffer.from([message.length % 256, Math.floor(message.length / 256)])
        return Buffer.concat([
          Buffer.from('\u00ffsolana offchain', 'latin1'),
          Buffer.from([0, 0]),
          length,
          message,
        ])
      }
      const ids = new Set<string | undefined>()
      for (const wallet of [aSolanaWallet(), aSolanaWallet(envelope)]) {
        const client = await officialClient(app)
        const { error, data } = await client.signInWithWeb3({
          chain: 'solana',
          wallet: solanaProvider(wallet) as never,
          options: { url: SITE },
        })
        expect(error).toBeNull()
        expect(data.user?.identities?.[0]?.id).toBe(`web3:solana:${wallet.address}`)
        ids.add(data.user?.id)
      }
      expect(ids.size).toBe(2)
    })

    it('an account that was created with a wallet can add an email address later, which becomes its second identity', async () => {
      const app = await anApp()
      const client = await officialClient(app)
      const wallet = anEthereumWallet()
      const message = messageOf(app, wallet)
      await client.signInWithWeb3({
        chain: 'ethereum',
        message,
        signature: (await wallet.sign(message)) as `0x${string}`,
      })
      const { error, data } = await client.updateUser({ email: 'ada@example.com', password: PASSWORD })
      expect(error).toBeNull()
      expect(data.user).toMatchObject({ email: 'ada@example.com' })
      expect(data.user?.identities?.map(({ provider }) => provider)).toEqual(['web3', 'email'])
      expect(
        (await client.signInWithPassword({ email: 'ada@example.com', password: PASSWORD })).error,
      ).toBeNull()
    })

    it('the public settings list the blockchains that are configured', async () => {
      const app = await anApp({ GOTRUE_EXTERNAL_WEB3_SOLANA_ENABLED: 'false' })
      const { external } = (await app.http.inject('/auth/v1/settings')).json()
      expect(external).toMatchObject({ web3_ethereum: true, web3_solana: false })
    })
  })

  describe('invalid wallet sign-ins', () => {
    it.each<[string, Record<string, string | null>, string]>([
      [
        'another domain',
        { header: 'evil.example wants you to sign in with your Ethereum account:' },
        'The domain and the URI of the message do not match',
      ],
      [
        'another site',
        {
          header: 'evil.example wants you to sign in with your Ethereum account:',
          uri: 'URI: https://evil.example/',
        },
        'URI is not an address of this instance',
      ],
      ['an address without https', { uri: 'URI: http://ops.example.com/' }, 'URI must be an https address'],
      [
        'another scheme',
        { header: 'http://ops.example.com wants you to sign in with your Ethereum account:' },
        'The scheme and the URI of the message do not match',
      ],
      [
        'the other chain',
        { header: 'ops.example.com wants you to sign in with your Solana account:' },
        'The first line of the message does not ask for a sign-in on this chain',
      ],
      [
        'no address',
        { address: 'somebody' },
        'The second line of the message is not an address of this chain',
      ],
      ['no empty line', { empty: 'hello' }, 'The third line of the message must be empty'],
      ['an unknown field', { nonce: 'Colour: red' }, 'The message has an unknown line after its statement'],
      ['a field twice', { nonce: `URI: ${SITE}` }, 'The message contains URI twice'],
      ['no URI', { uri: null }, 'URI is missing or not valid'],
      ['another version', { version: 'Version: 2' }, 'Version must be 1'],
      ['no chain id', { chain: null }, 'Chain ID is missing or not valid'],
      ['a chain id of text', { chain: 'Chain ID: mainnet' }, 'Chain ID is missing or not valid'],
      ['a short nonce', { nonce: 'Nonce: 1234567' }, 'Nonce must have at least 8 letters and digits'],
      ['no time of issue', { issued: null }, 'Issued At is missing'],
      ['a time that is none', { issued: 'Issued At: today' }, 'Issued At is not a valid time'],
      ['resources in the middle', { nonce: 'Resources:' }, 'Resources must be the end of the message'],
      ['a control character', { statement: 'Sign\u0008in' }, 'The message contains control characters'],
      ['a carriage return', { statement: 'Sign in\r' }, 'The message contains control characters'],
    ])('a signed message with %s is refused', async (_, changes, reason) => {
      const app = await anApp()
      const wallet = anEthereumWallet()
      const answer = await trySign(app, wallet, messageOf(app, wallet, changes))
      expect(reasonOf(answer)).toBe(`400 invalid_grant ${reason}`)
      expect(Object.keys(answer.json())).toEqual(['error', 'error_description'])
      expect(answer.headers['x-supabase-api-version']).toBeUndefined()
    })

    it("a wallet's signed message is refused before and after its period of validity", async () => {
      const app = await anApp()
      const wallet = aSolanaWallet()
      const cases: [Record<string, string>, string][] = [
        [{ issued: `Issued At: ${ago(app, 10 * MINUTE_MS)}` }, 'The message was issued too long ago'],
        [{ issued: `Issued At: ${ago(app, -11 * MINUTE_MS)}` }, 'The message was issued in the future'],
        [{ more: `Expiration Time: ${ago(app, 0)}` }, 'The message has expired'],
        [{ more: `Not Before: ${ago(app, -SECOND_MS)}` }, 'The message is not valid yet'],
      ]
      for (const [changes, reason] of cases)
        expect(reasonOf(await trySign(app, wallet, messageOf(app, wallet, changes)))).toBe(
          `400 invalid_grant ${reason}`,
        )
      const good = messageOf(app, wallet, {
        issued: `Issued At: ${ago(app, 9 * MINUTE_MS)}`,
        more: `Expiration Time: ${ago(app, -SECOND_MS)}`,
        before: `Not Before: ${ago(app, SECOND_MS)}`,
        resources: 'Resources:',
        first: '- https://ops.example.com/terms',
      })
      expect((await trySign(app, wallet, good)).statusCode).toBe(200)
    })

    it("a wallet sign-in with a missing field, an unknown chain or a message of the wrong size gets the protocol's error code", async () => {
      const app = await anApp({ GOTRUE_EXTERNAL_WEB3_SOLANA_ENABLED: 'false' })
      const refusal = async (payload: Record<string, unknown>) => reasonOf(await post(app, payload))
      expect(await refusal({})).toBe('400 web3_unsupported_chain Unsupported chain')
      expect(await refusal({ chain: 'bitcoin' })).toBe('400 web3_unsupported_chain Unsupported chain')
      expect(await refusal({ chain: 'solana' })).toBe('422 web3_provider_disabled Web3 provider is disabled')
      expect(await refusal({ chain: 'ethereum', message: 'short' })).toBe(
        '400 validation_failed message is too short',
      )
      expect(await refusal({ chain: 'ethereum', message: 'x'.repeat(20_481) })).toContain(
        '400 validation_failed',
      )
      const off = await buildTestApp()
      expect(reasonOf(await post(off, { chain: 'ethereum' }))).toBe(
        '422 web3_provider_disabled Web3 provider is disabled',
      )
    })
  })

  describe('wallet sign-ins without permission', () => {
    it('a signature by another wallet, of another text or in another format is refused, counted and audited', async () => {
      const app = await anApp()
      for (const [wallet, other] of [
        [anEthereumWallet(), anEthereumWallet()],
        [aSolanaWallet(), aSolanaWallet()],
      ] as const) {
        const message = messageOf(app, wallet)
        const right = await wallet.sign(message)
        const signatures = [
          await other.sign(message),
          await wallet.sign(`${message}\n`),
          right.slice(0, -2),
          `${right}00`,
          '0x',
          '',
          `0x${'f'.repeat(130)}`,
          'A'.repeat(86),
        ]
        for (const signature of signatures)
          expect(reasonOf(await post(app, { chain: wallet.chain, message, signature }))).toBe(
            '400 invalid_grant The signature does not match the address of the message',
          )
        expect((await post(app, { chain: wallet.chain, message, signature: right })).statusCode).toBe(200)
      }
      const refusals = await app.database.sql`
        select 1 from audit_entries where action = 'session.refused' and after->>'reason' = 'wrong_signature'`
      expect(refusals).toHaveLength(16)
      const wallet = anEthereumWallet()
      const message = messageOf(app, wallet)
      const wrong = { chain: 'ethereum', message, signature: await anEthereumWallet().sign(message) }
      for (let n = 16; n < 60; n += 1) await post(app, wrong)
      expect(reasonOf(await post(app, wrong))).toContain('429 over_request_rate_limit')
    })

    it('a sign-in with the second valid form of an Ethereum signature, which anybody can compute from the first, is refused', async () => {
      const app = await anApp()
      const wallet = anEthereumWallet()
      const message = messageOf(app, wallet)
      const signature = await wallet.sign(message)
      const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
      const s = (order - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0')
      const v = signature.endsWith('1b') ? '1c' : '1b'
      expect(
        (await post(app, { chain: 'ethereum', message, signature: `${signature.slice(0, 66)}${s}${v}` }))
          .statusCode,
      ).toBe(400)
    })

    it('a signed wallet message opens only one session, even if twenty requests send it to two replicas at once', async () => {
      const app = await anApp()
      const other = await app.replica()
      const wallet = anEthereumWallet()
      const message = messageOf(app, wallet)
      const payload = { chain: 'ethereum', message, signature: await wallet.sign(message) }
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => post(n % 2 ? app : other, payload)),
      )
      expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
      const refused = answers.filter(({ statusCode }) => statusCode !== 200).map(reasonOf)
      expect(new Set(refused)).toEqual(new Set(['400 invalid_grant The message has already been used']))
      expect(await app.database.sql`select 1 from identities where provider = 'web3'`).toHaveLength(1)
      // The cleanup deletes the used message only when every process would refuse it as too old.
      app.clock.advance(10 * MINUTE_MS)
      await app.auth.purge()
      // A process whose clock is behind would still accept the message, so its row stays a minute longer.
      expect(await app.database.sql`select 1 from used_sign_in_messages`).toHaveLength(1)
      app.clock.advance(MINUTE_MS)
      await app.auth.purge()
      expect(await app.database.sql`select 1 from used_sign_in_messages`).toHaveLength(0)
      expect(reasonOf(await post(app, payload))).toContain('issued too long ago')
    })

    it('two parallel first sign-ins of a wallet create one account', async () => {
      const app = await anApp()
      const other = await app.replica()
      const wallet = aSolanaWallet()
      const answers = await Promise.all(
        [app, other, app, other].map((each, n) =>
          trySign(each, wallet, messageOf(app, wallet, { nonce: `Nonce: 1234567${n}` })),
        ),
      )
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
      expect(new Set(answers.map((answer) => answer.json().user.id)).size).toBe(1)
    })

    it('a sign-in with an unknown wallet is refused if sign-ups are closed, and waits for approval if sign-ups need it', async () => {
      const closed = await anApp({ SIGNUPS: 'closed' })
      const wallet = anEthereumWallet()
      expect(reasonOf(await trySign(closed, wallet, messageOf(closed, wallet)))).toBe(
        '422 signup_disabled Signups not allowed for this instance',
      )
      const app = await anApp({ SIGNUPS: 'approval' })
      const ask = async (nonce: string) =>
        reasonOf(await trySign(app, wallet, messageOf(app, wallet, { nonce: `Nonce: ${nonce}` })))
      const waiting = '400 user_banned An administrator must approve your account before you can sign in.'
      expect([await ask('waiting01'), await ask('waiting02')]).toEqual([waiting, waiting])
      const [account] = await app.database.sql<[{ id: string; status: string }]>`
        select id, status from people where username = ${wallet.address.toLowerCase()}`
      expect(account.status).toBe('waiting')
      const headers = await asOwner(app)
      const url = `/api/auth/users/${account.id}`
      const { headers: found } = await app.http.inject({ url, headers })
      const approved = await app.http.inject({
        method: 'PATCH',
        url,
        headers: { ...headers, 'if-match': String(found['etag']) },
        payload: { approved: true },
      })
      expect(approved.statusCode).toBe(200)
      const message = messageOf(app, wallet, { nonce: 'Nonce: approved1' })
      expect((await trySign(app, wallet, message)).statusCode).toBe(200)
      await app.database.sql`update accounts set is_active = false where id = ${account.id}`
      expect(await ask('blocked1')).toBe('403 user_banned User is banned')
      expect(await app.database.sql`select 1 from outbox_mails where recipient like '%invalid'`).toHaveLength(
        0,
      )
    })
  })
})
