import type { OutboxMail } from '@pegasus/contracts/mail'
import { OWNER_PASSWORD, type TestApp } from '../build-test-app.ts'

/** Returns the emails in the outbox, newest first. */
export async function readOutbox(app: TestApp): Promise<OutboxMail[]> {
  const authorization = `Bearer ${await app.signIn('owner', OWNER_PASSWORD)}`
  const response = await app.http.inject({ url: '/api/outbox-mails', headers: { authorization } })
  return response.json<OutboxMail[]>()
}

export async function mailsTo(app: TestApp, address: string): Promise<OutboxMail[]> {
  return (await readOutbox(app)).filter((mail) => mail.to === address)
}

/** Returns the newest email to an address, with its link as a path, the token in the link, and the code. */
export async function lastLinkTo(
  app: TestApp,
  address: string,
): Promise<{ mail: OutboxMail; url: string; token: string; code: string }> {
  const [mail] = await mailsTo(app, address)
  if (!mail) throw new Error(`no mail to ${address}`)
  const link = new URL(mail.links[0] ?? '')
  return {
    mail,
    url: `${link.pathname}${link.search}`,
    token: link.searchParams.get('token') ?? '',
    code: /code: (\d{8})/.exec(mail.text)?.[1] ?? '',
  }
}

/** Returns the fields in the fragment of a redirect. */
export const fragmentOf = (location: unknown): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(new URL(String(location)).hash.slice(1)))
