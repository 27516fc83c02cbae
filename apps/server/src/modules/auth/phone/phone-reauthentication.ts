import type { Clock } from '../../../platform/clock.ts'
import type { PhoneReauthentication } from '../mail-links/mailed-codes.service.ts'
import type { OneTimeTokens } from '../mail-links/one-time-tokens.ts'
import type { PhoneMessages } from './phone-messages.ts'

/** Creates the service for codes that people without an email address use to reauthenticate. */
export const createPhoneReauthentication = ({
  clock,
  messages,
  tokens,
}: {
  clock: Clock
  messages: PhoneMessages
  tokens: OneTimeTokens
}): PhoneReauthentication => ({
  claimSlot: ({ id, phone }, ip) =>
    messages.limits.claimOwn(
      { accountId: id, phone, kind: 'phone_reauthentication', isProved: true, isElsewhere: false },
      ip,
    ),
  send: (tx, account) =>
    messages.sendCode(tx, {
      account,
      phone: account.phone,
      type: 'reauthentication',
      passwordHash: null,
      address: null,
    }),
  isRight: async (tx, phone, code) =>
    (await tokens.findByPhone(tx, { phone, code, type: 'reauthentication', address: null }, clock.now())) !==
    null,
})
