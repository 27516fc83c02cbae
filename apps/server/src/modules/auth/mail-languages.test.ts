import { MAIL_TOKEN_TYPES } from '@pegasus/contracts/auth/hosted-auth'
import { LANGUAGES, type Language } from '@pegasus/contracts/texts/languages'
import { describe, expect, it } from 'vitest'
import { translatorTo } from '../../platform/server-texts.ts'
import { composeApprovalMail, composePasswordResetNotice } from './admin/admin-mails.ts'
import { composeIdentityLinked, composeIdentityUnlinked } from './identities/identity-mails.ts'
import {
  type ComposedMail,
  composeDeclinedNotice,
  composeEmailChangeNotice,
  composeTokenMail,
} from './mail-links/link-mails.ts'
import { composePasskeyAdded, composePasskeyRemoved } from './passkeys/passkey-mails.ts'
import { composePhoneChangeNotice } from './phone/phone-mails.ts'
import { messageText, readPhoneSettings } from './phone/phone-settings.ts'
import {
  composeFactorAdded,
  composeFactorRemoved,
  composeFactorsReset,
  composeRecoveryCodeUsed,
} from './second-factor/factor-mails.ts'

const URL = 'https://ops.example.com'
const FACTORS = ['totp', 'webauthn', 'phone', 'recovery_code'] as const

const mails: ComposedMail[] = [
  composeApprovalMail(URL),
  composePasswordResetNotice(URL),
  composeIdentityLinked('GitHub'),
  composeIdentityUnlinked('GitHub'),
  composePasskeyAdded(),
  composePasskeyRemoved(),
  composePhoneChangeNotice('15550100123'),
  ...FACTORS.flatMap((type) => [
    composeFactorAdded(type),
    composeFactorRemoved(type, true),
    composeFactorRemoved(type, false),
  ]),
  composeFactorsReset(),
  composeRecoveryCodeUsed(1),
  composeRecoveryCodeUsed(7),
  ...MAIL_TOKEN_TYPES.map((type) => composeTokenMail(type, { url: URL, code: '123456' })),
  composeDeclinedNotice(),
  composeEmailChangeNotice('ada@example.com'),
]

const textsOf = ({ subject, content: { title, paragraphs, button, footnote } }: ComposedMail): string[] => [
  subject,
  title,
  ...paragraphs,
  ...(button ? [button.label] : []),
  ...(footnote ? [footnote] : []),
]

describe.each(Object.keys(LANGUAGES).filter((code) => code !== 'en') as Language[])(
  'the messages to people in %s',
  (language) => {
    const translate = translatorTo(language)

    it('every text of every email about an account is translated', () => {
      expect(mails.flatMap(textsOf).filter((text) => translate(text) === text)).toEqual([])
    })

    it('the text message with a code is translated and keeps the code', () => {
      const { code } = readPhoneSettings({})
      const text = translate(messageText(code, '123456'))
      expect(text).toContain('123456')
      expect(text).not.toContain('is your code')
    })
  },
)
