import { useSearchParams } from 'react-router'
import { EmailScreen, type EmailView } from '../features/auth/email-screen.tsx'
import { canUseKeys } from '../lib/browser/can-use-keys.ts'
import { onDemand } from '../lib/browser/loadable.tsx'
import { SignInFrame } from '../features/auth/sign-in-frame.tsx'
import { useConfig, useSignUpMode } from '../lib/http/config.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Loaded only if there are sign-in methods other than the password. */
const OtherSignInMethods = onDemand(
  async () => (await import('../features/auth/other-sign-in-methods.tsx')).OtherSignInMethods,
)

/** Loaded only if somebody signs in with a text message. */
const PhoneSignIn = onDemand(
  async () => (await import('../features/auth/phone/phone-sign-in.tsx')).PhoneSignIn,
)

/** Loaded only if somebody signs in with a code by email. */
const MailCodeSignIn = onDemand(
  async () => (await import('../features/auth/mail-links/mail-code-sign-in.tsx')).MailCodeSignIn,
)

const VIEWS: readonly EmailView[] = ['sign-in', 'sign-up', 'forgot-password']
const PHONE_VIEW = 'phone'
const MAIL_CODE_VIEW = 'code'

/** The sign-in screen. The `view` parameter selects the form, so that the back button works. */
export function LoginRoute() {
  const [search, setSearch] = useSearchParams()
  const config = useConfig()
  const signUpMode = useSignUpMode()
  const view = VIEWS.find((each) => each === search.get('view')) ?? 'sign-in'

  const canUsePhone = config?.phone_sign_in ?? false
  const isByPhone = canUsePhone && search.get('view') === PHONE_VIEW

  const isByMailCode = search.get('view') === MAIL_CODE_VIEW

  function handleViewChange(
    next: EmailView | typeof PHONE_VIEW | typeof MAIL_CODE_VIEW,
    options?: { replace: boolean },
  ): void {
    setSearch((current) => {
      const changed = new URLSearchParams(current)
      if (next === 'sign-in') changed.delete('view')
      else changed.set('view', next)
      return changed
    }, options)
  }

  const next = search.get('next')
  const hasPasskeys = config !== null && config.passkeys && canUseKeys(config.webauthn_rp_id)
  const otherWays =
    config &&
    (hasPasskeys || canUsePhone || config.sso || config.sign_in_providers.length > 0) &&
    view !== 'forgot-password' &&
    !isByPhone &&
    !isByMailCode ? (
      <OtherSignInMethods
        hasPasskeys={hasPasskeys}
        hasSso={config.sso}
        onPhone={canUsePhone ? () => handleViewChange(PHONE_VIEW) : null}
        providers={config.sign_in_providers}
        backTo={next === null ? '/login' : `/login?${new URLSearchParams({ next })}`}
      />
    ) : null

  return (
    <SignInFrame otherWay={{ path: '/legacy-login', label: t('Sign in with username') }} below={otherWays}>
      {isByPhone ? (
        <PhoneSignIn onBack={() => handleViewChange('sign-in')} />
      ) : isByMailCode ? (
        <MailCodeSignIn onBack={() => handleViewChange('sign-in')} />
      ) : (
        <EmailScreen
          view={view}
          onViewChange={handleViewChange}
          onCode={() => handleViewChange(MAIL_CODE_VIEW)}
          signUpMode={signUpMode}
        />
      )}
    </SignInFrame>
  )
}
