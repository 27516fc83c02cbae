import { PRODUCT_NAME } from '@pegasus/contracts/client-config'
import { isWebAddress } from '@pegasus/contracts/web-address'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../platform/clock.ts'
import { readDurationMs } from '../../../platform/go-duration.ts'
import type { SmsHookSettings } from '../../../platform/sms/sms-hook.ts'
import { StartupError } from '../../../platform/startup-error.ts'

/** The settings for the codes in one kind of message. */
export interface PhoneCodeSettings {
  digits: number
  /** The text of the message. `{{ .Code }}` stands for the code. */
  template: string
  /** The minimum time between two codes to the same phone. */
  intervalMs: number
}

/** The settings for phone numbers, under the names of the hosted service. */
export interface PhoneSettings {
  /** Whether people may sign up and sign in with a phone number. */
  isEnabled: boolean
  /** Whether sign-ups confirm a number without a code. */
  autoConfirms: boolean
  code: PhoneCodeSettings & { lifetimeMs: number }
  /** The settings for phones as a second factor. */
  factor: PhoneCodeSettings & { canEnroll: boolean; canVerify: boolean }
  /** The maximum number of messages per hour to each of the groups that can include strangers. */
  hourlyLimit: number
  /** The program that sends messages, which the server calls. If null, messages stay in the outbox. */
  hook: SmsHookSettings | null
}

type Given = Readonly<Record<string, string>>

const CODE_MARK = '{{ .Code }}'
const DEFAULT_TEMPLATE = `${CODE_MARK} is your code for ${PRODUCT_NAME}. Never pass it on.`
const MAX_TEMPLATE_LENGTH = 500
const MAX_HOURLY = 1_000_000
/**
 * How long a code in the outbox is valid, in seconds. An administrator needs more time to pass a code on than a message
 * takes to arrive.
 */
const OUTBOX_LIFETIME_SECONDS = (15 * MINUTE_MS) / SECOND_MS
const SENT_LIFETIME_SECONDS = MINUTE_MS / SECOND_MS
const MAX_LIFETIME_SECONDS = DAY_MS / SECOND_MS
/** The minimum and maximum size of a key in bytes, as Standard Webhooks defines it. */
const [MIN_KEY_BYTES, MAX_KEY_BYTES] = [24, 64]

/**
 * Settings of the hosted service for features that this server lacks, each with an explanation. The server refuses
 * them. If it ignored them, the feature would seem to work.
 */
const MISSING: Readonly<Record<string, string>> = {
  GOTRUE_SMS_PROVIDER: 'messages are sent through GOTRUE_HOOK_SEND_SMS_URI',
  GOTRUE_SMS_TEST_OTP: 'every code is random, and GOTRUE_HOOK_SEND_SMS_URI can be a test program',
}

const wrong = (name: string, should: string): never => {
  throw new StartupError(`${name} should hold ${should}.`)
}

const readFlag = (given: Given, name: string): boolean => {
  const value = given[name]?.trim() ?? 'false'
  if (value !== 'true' && value !== 'false') wrong(name, 'true or false')
  return value === 'true'
}

function readNumber(
  given: Given,
  name: string,
  { ifEmpty, min = 1, max }: { ifEmpty: number; min?: number; max: number },
) {
  const text = given[name]?.trim() ?? String(ifEmpty)
  const value = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= min && value <= max)) wrong(name, `a whole number from ${min} to ${max}`)
  return value
}

function readInterval(given: Given, name: string): number {
  const text = given[name]?.trim() ?? '60s'
  const intervalMs = readDurationMs(text) ?? Number.NaN
  if (!(intervalMs >= SECOND_MS && intervalMs <= HOUR_MS))
    wrong(name, 'a duration from 1s to 1h, such as 60s')
  return intervalMs
}

function readTemplate(given: Given, name: string): string {
  const template = given[name]?.trim() ?? DEFAULT_TEMPLATE
  if (!template.includes(CODE_MARK) || template.length > MAX_TEMPLATE_LENGTH)
    wrong(name, `a text of at most ${MAX_TEMPLATE_LENGTH} characters that contains ${CODE_MARK}`)
  return template
}

function readKeys(given: Given, name: string): Buffer[] {
  const secrets = (given[name] ?? '').split('|').map((part) => part.trim())
  return secrets.map((secret) => {
    const [, encoded = ''] = /^v1,whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? []
    const key = Buffer.from(encoded, 'base64')
    if (key.length < MIN_KEY_BYTES || key.length > MAX_KEY_BYTES)
      wrong(
        name,
        `secrets such as v1,whsec_… with ${MIN_KEY_BYTES} to ${MAX_KEY_BYTES} bytes, separated by |`,
      )
    return key
  })
}

function readHook(given: Given): SmsHookSettings | null {
  if (!readFlag(given, 'GOTRUE_HOOK_SEND_SMS_ENABLED')) return null
  const url = given['GOTRUE_HOOK_SEND_SMS_URI']?.trim() ?? ''
  if (!isWebAddress(url) || /[#\s]/.test(url))
    wrong(
      'GOTRUE_HOOK_SEND_SMS_URI',
      'a web address without a user name and a password, such as https://sms.example.com/send',
    )
  return { url, keys: readKeys(given, 'GOTRUE_HOOK_SEND_SMS_SECRETS') }
}

/**
 * Reads the settings for phone numbers. Throws StartupError for a wrong value. The message does not contain the value.
 */
export function readPhoneSettings(given: Given): PhoneSettings {
  for (const [name, instead] of Object.entries(MISSING))
    if (given[name]) throw new StartupError(`${name} is not supported: ${instead}.`)
  const hook = readHook(given)
  const lifetimeSeconds = readNumber(given, 'GOTRUE_SMS_OTP_EXP', {
    ifEmpty: hook === null ? OUTBOX_LIFETIME_SECONDS : SENT_LIFETIME_SECONDS,
    min: 10,
    max: MAX_LIFETIME_SECONDS,
  })
  return {
    isEnabled: readFlag(given, 'GOTRUE_EXTERNAL_PHONE_ENABLED'),
    autoConfirms: readFlag(given, 'GOTRUE_SMS_AUTOCONFIRM'),
    code: {
      digits: readNumber(given, 'GOTRUE_SMS_OTP_LENGTH', { ifEmpty: 6, min: 6, max: 10 }),
      template: readTemplate(given, 'GOTRUE_SMS_TEMPLATE'),
      intervalMs: readInterval(given, 'GOTRUE_SMS_MAX_FREQUENCY'),
      lifetimeMs: lifetimeSeconds * SECOND_MS,
    },
    factor: {
      canEnroll: readFlag(given, 'GOTRUE_MFA_PHONE_ENROLL_ENABLED'),
      canVerify: readFlag(given, 'GOTRUE_MFA_PHONE_VERIFY_ENABLED'),
      digits: readNumber(given, 'GOTRUE_MFA_PHONE_OTP_LENGTH', { ifEmpty: 6, min: 6, max: 10 }),
      template: readTemplate(given, 'GOTRUE_MFA_PHONE_TEMPLATE'),
      intervalMs: readInterval(given, 'GOTRUE_MFA_PHONE_MAX_FREQUENCY'),
    },
    hourlyLimit: readNumber(given, 'GOTRUE_RATE_LIMIT_SMS_SENT', { ifEmpty: 30, max: MAX_HOURLY }),
    hook,
  }
}

/** Returns the text of a message with the code. */
export const messageText = ({ template }: Pick<PhoneCodeSettings, 'template'>, code: string): string =>
  template.replaceAll(CODE_MARK, code)
