import type { OutboxMail } from '@pegasus/contracts/mail'
import type { TestApp } from '../build-test-app.ts'
import { mailsTo } from './mails.ts'

/** The variables that allow phone numbers. The messages stay in the outbox. */
export const PHONES = {
  GOTRUE_EXTERNAL_PHONE_ENABLED: 'true',
  GOTRUE_MFA_PHONE_ENROLL_ENABLED: 'true',
  GOTRUE_MFA_PHONE_VERIFY_ENABLED: 'true',
} as const

/** The phone number of a new account, as people type it. */
export const TYPED = '+1 (555) 555-0100'
export const PHONE = '15555550100'
export const OTHER_PHONE = '493012345678'

/** Returns the messages to a number, newest first. */
export const messagesTo = (app: TestApp, phone: string): Promise<OutboxMail[]> => mailsTo(app, `+${phone}`)

/** Returns the code in the newest message to a number. */
export async function codeTo(app: TestApp, phone: string): Promise<string> {
  const [message] = await messagesTo(app, phone)
  const [code] = /\d{6,10}/.exec(message?.text ?? '') ?? []
  if (!code) throw new Error(`no code was sent to ${phone}`)
  return code
}

/** Returns another code of the same length, which is wrong. */
export const otherCode = (code: string): string =>
  code.replaceAll(/\d/g, (digit) => String((Number(digit) + 1) % 10))

/** Returns the row of the account with this number. */
export async function accountOf(app: TestApp, phone: string) {
  const [row] = await app.database.sql<
    {
      id: string
      username: string
      has_email: boolean
      password_hash: string | null
      phone_confirmed_at: string | null
      approved_at: string | null
    }[]
  >`select * from accounts where phone = ${phone}`
  return row ?? null
}
