import { expect, it } from 'vitest'
import { phoneDigits } from '@pegasus/contracts/auth/phone-number'
import { messageText, readPhoneSettings } from './phone-settings.ts'

const SECRET = `v1,whsec_${Buffer.alloc(32, 7).toString('base64')}`
const HOOK = {
  GOTRUE_HOOK_SEND_SMS_ENABLED: 'true',
  GOTRUE_HOOK_SEND_SMS_URI: 'http://sms.internal:8080/send?to=all',
  GOTRUE_HOOK_SEND_SMS_SECRETS: `${SECRET}|${SECRET}`,
}

it('phone sign-in is off by default, and a code that an administrator passes on is valid for longer', () => {
  const settings = readPhoneSettings({})
  expect(settings).toMatchObject({
    isEnabled: false,
    autoConfirms: false,
    code: { digits: 6, intervalMs: 60_000, lifetimeMs: 900_000 },
    factor: { canEnroll: false, canVerify: false, digits: 6, intervalMs: 60_000 },
    hourlyLimit: 30,
    hook: null,
  })
  expect(messageText(settings.code, '123456')).toBe('123456 is your code for Pegasus Ops. Never pass it on.')
  expect(readPhoneSettings(HOOK).code.lifetimeMs).toBe(60_000)
})

it('phone settings are read under the names that Supabase (the hosted service) uses: codes, texts, limits, and the program that sends messages', () => {
  const settings = readPhoneSettings({
    ...HOOK,
    GOTRUE_EXTERNAL_PHONE_ENABLED: 'true',
    GOTRUE_SMS_AUTOCONFIRM: 'true',
    GOTRUE_SMS_OTP_LENGTH: '8',
    GOTRUE_SMS_OTP_EXP: '300',
    GOTRUE_SMS_MAX_FREQUENCY: '1m30s',
    GOTRUE_SMS_TEMPLATE: 'Code {{ .Code }}, again {{ .Code }}',
    GOTRUE_MFA_PHONE_ENROLL_ENABLED: 'true',
    GOTRUE_MFA_PHONE_VERIFY_ENABLED: 'true',
    GOTRUE_MFA_PHONE_OTP_LENGTH: '10',
    GOTRUE_MFA_PHONE_MAX_FREQUENCY: '5s',
    GOTRUE_RATE_LIMIT_SMS_SENT: '500',
  })
  expect(settings).toMatchObject({
    isEnabled: true,
    autoConfirms: true,
    code: { digits: 8, intervalMs: 90_000, lifetimeMs: 300_000 },
    factor: { canEnroll: true, canVerify: true, digits: 10, intervalMs: 5000 },
    hourlyLimit: 500,
    hook: { url: HOOK.GOTRUE_HOOK_SEND_SMS_URI, keys: [Buffer.alloc(32, 7), Buffer.alloc(32, 7)] },
  })
  expect(messageText(settings.code, '00000042')).toBe('Code 00000042, again 00000042')
})

it.each([
  [{ GOTRUE_EXTERNAL_PHONE_ENABLED: 'yes' }, 'GOTRUE_EXTERNAL_PHONE_ENABLED should hold true or false.'],
  [{ GOTRUE_SMS_OTP_LENGTH: '5' }, 'GOTRUE_SMS_OTP_LENGTH should hold a whole number from 6 to 10.'],
  [{ GOTRUE_SMS_OTP_EXP: '1' }, 'GOTRUE_SMS_OTP_EXP should hold a whole number from 10 to 86400.'],
  [{ GOTRUE_SMS_OTP_EXP: '60s' }, 'GOTRUE_SMS_OTP_EXP should hold a whole number from 10 to 86400.'],
  [
    { GOTRUE_SMS_MAX_FREQUENCY: '0s' },
    'GOTRUE_SMS_MAX_FREQUENCY should hold a duration from 1s to 1h, such as 60s.',
  ],
  [
    { GOTRUE_SMS_TEMPLATE: 'Hello' },
    'GOTRUE_SMS_TEMPLATE should hold a text of at most 500 characters that contains {{ .Code }}.',
  ],
  [
    { GOTRUE_RATE_LIMIT_SMS_SENT: '0' },
    'GOTRUE_RATE_LIMIT_SMS_SENT should hold a whole number from 1 to 1000000.',
  ],
  [
    { ...HOOK, GOTRUE_HOOK_SEND_SMS_URI: 'pg-functions://postgres/public/send' },
    'GOTRUE_HOOK_SEND_SMS_URI should hold a web address without a user name and a password, such as https://sms.example.com/send.',
  ],
  [
    { ...HOOK, GOTRUE_HOOK_SEND_SMS_URI: 'https://ada:secret@sms.example.com/send' },
    'GOTRUE_HOOK_SEND_SMS_URI should hold a web address without a user name and a password, such as https://sms.example.com/send.',
  ],
  [
    { ...HOOK, GOTRUE_HOOK_SEND_SMS_SECRETS: 'v1,whsec_c2hvcnQ=' },
    'GOTRUE_HOOK_SEND_SMS_SECRETS should hold secrets such as v1,whsec_… with 24 to 64 bytes, separated by |.',
  ],
  [
    { GOTRUE_SMS_PROVIDER: 'twilio' },
    'GOTRUE_SMS_PROVIDER is not supported: messages are sent through GOTRUE_HOOK_SEND_SMS_URI.',
  ],
  [
    { GOTRUE_SMS_TEST_OTP: '15555550100=123456' },
    'GOTRUE_SMS_TEST_OTP is not supported: every code is random, and GOTRUE_HOOK_SEND_SMS_URI can be a test program.',
  ],
] as [Record<string, string>, string][])(
  'the phone settings %j stop the server with a readable error',
  (given, message) => {
    expect(() => readPhoneSettings(given)).toThrow(message)
  },
)

it.each([
  ['+1 (555) 555-0100', '15555550100'],
  ['15555550100', '15555550100'],
  ['+49 30/1234-5678', '493012345678'],
  ['＋１５５５５５５０１００', '15555550100'],
  ['+1\u202f555\u2011555\u00a00100', '15555550100'],
  ['+290 2345', '2902345'],
  ['0030 1234567', null],
  ['++15555550100', null],
  ['+1555555', '1555555'],
  ['+155555', null],
  ['+1234567890123456', null],
  ['+1555555010a', null],
  ['+1555\u0000555010', null],
  ['1'.repeat(61), null],
  ['', null],
])('phoneDigits(%j) returns %j', (typed, digits) => {
  expect(phoneDigits(typed)).toBe(digits)
})
