import type { DeliveryDeps } from '../../platform/mail/delivery-queue.ts'
import type { MailTransport } from '../../platform/mail/mail.ts'
import { createSmtpMail } from '../../platform/mail/smtp-mail.ts'
import { createOwnCall } from '../../platform/outbound/safe-call.ts'
import { type SmsHookSettings, createSmsHook } from '../../platform/sms/sms-hook.ts'
import { type SmsTransport, createOutboxSms } from '../../platform/sms/sms.ts'
import { createOutbox } from './outbox.ts'

/**
 * Creates the transports for emails and text messages. Emails go to the mail server, and text messages go to the
 * operator's program. What cannot be delivered that way goes to the outbox, where administrators read it.
 */
export function createTransports(
  deps: DeliveryDeps & {
    settings: { smtpUrl: string | null; mailFrom: string; phone: { hook: SmsHookSettings | null } }
    /** Settings with which tests replace calls to other servers. */
    outbound?: Parameters<typeof createOwnCall>[1]
  },
): { mail: MailTransport; sms: SmsTransport } {
  const { smtpUrl: url, mailFrom: from, phone } = deps.settings
  const { hook } = phone
  const outbox = createOutbox(deps)
  const { keep, takeBack } = outbox
  return {
    mail: url === null ? outbox : createSmtpMail({ ...deps, url, from, keep, takeBack }),
    sms:
      hook === null
        ? createOutboxSms(outbox)
        : createSmsHook({ ...deps, hook, keep, takeBack, call: createOwnCall(hook.url, deps.outbound) }),
  }
}
