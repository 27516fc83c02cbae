import type { User } from '@supabase/auth-js'
import { type ComponentType, type FormEvent, type ReactNode, useState } from 'react'
import { CodeInput } from '@/components/ui/forms/code-input.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import {
  type Authenticator,
  authenticatorsOf,
  isApp,
  isKey,
  isPhone,
  listAuthenticators,
  proveByCode,
  proveByRecoveryCode,
} from '@/lib/session/factors/second-factor.ts'
import { useConfig } from '@/lib/http/config.ts'
import { canUseKeys } from '@/lib/browser/can-use-keys.ts'
import { proveBySecurityKey } from '@/lib/session/factors/security-keys.ts'
import { signOut } from '@/lib/session/session.ts'
import { PhoneStep } from '../phone/phone-step.tsx'
import { SignInCard } from '../sign-in-card.tsx'
import { Way, Ways } from '../auth-footer-links.tsx'
import { nameOf } from './authenticator-list.tsx'
import { describeFactorError, describeKeyError, describeRecoveryCodeError } from './code-message.ts'
import { useCode } from './use-code.ts'
import { rich, t } from '@/lib/i18n/messages.ts'

type StepWay = 'code' | 'key' | 'phone' | 'recovery-code'

const WAY_LABELS: Readonly<Record<StepWay, string>> = {
  code: t('Use your authenticator app'),
  key: t('Use your passkey or security key'),
  phone: t('Send a code to your phone'),
  'recovery-code': t('Use a recovery code instead'),
}

/**
 * Returns the methods with which the account can prove its second factor, best first. The account in the
 * session may be outdated: it may lack an authenticator.
 */
function offeredWays({ factors = [] }: User, canAskKeys: boolean): StepWay[] {
  const authenticators = authenticatorsOf(factors)
  const keys: StepWay[] = authenticators.some(isKey) && canAskKeys ? ['key'] : []
  const codes: StepWay[] = authenticators.some(isApp) || authenticators.length === 0 ? ['code'] : []
  const phones: StepWay[] = authenticators.some(isPhone) ? ['phone'] : []
  return [...keys, ...codes, ...phones, 'recovery-code']
}

/**
 * The screen for the second factor, after the password or a mailed link. After the proof, the route guards open the
 * app.
 */
export function SecondStep({ account }: { account: User }) {
  const rpId = useConfig()?.webauthn_rp_id
  const offered = offeredWays(account, canUseKeys(rpId))
  const [chosen, setChosen] = useState<StepWay | null>(null)
  const way = chosen ?? offered[0] ?? 'code'
  const Form = FORMS[way]
  return (
    <Form
      account={account}
      ways={
        <Ways>
          {offered
            .filter((each) => each !== way)
            .map((each) => (
              <Way key={each} onSelect={() => setChosen(each)}>
                {WAY_LABELS[each]}
              </Way>
            ))}
          <Way onSelect={() => void signOut()}>{t('Back to sign in')}</Way>
        </Ways>
      }
    />
  )
}

interface StepFormProps {
  account: User
  ways: ReactNode
}

function CodeForm({ account, ways }: StepFormProps) {
  const authenticators = authenticatorsOf(account.factors ?? []).filter(isApp)
  const [chosenId, setChosenId] = useState(authenticators[0]?.id)
  const code = useCode({
    // The account in the session may be outdated: it may lack an authenticator.
    onCheck: async (given) => proveByCode(chosenId ?? (await findAuthenticator()), given),
    describeError: describeFactorError,
    incomplete: t('Enter all six digits of the code.'),
    minLength: 6,
  })
  return (
    <CodeCard
      title={t('Enter the code from your authenticator app')}
      account={account}
      code={code}
      ways={ways}
    >
      <AuthenticatorSelect of={authenticators} chosenId={chosenId} onChoose={setChosenId} />
      <Field label={t('Code')} isRequired hint={t('Six digits that change every 30 seconds')}>
        <CodeInput {...code.field} controlSize="lg" autoFocus />
      </Field>
    </CodeCard>
  )
}

function KeyForm({ account, ways }: StepFormProps) {
  const rpId = useConfig()?.webauthn_rp_id
  const keys = authenticatorsOf(account.factors ?? []).filter(isKey)
  const [chosenId, setChosenId] = useState(keys[0]?.id ?? '')
  const [failure, setFailure] = useState<string | null>(null)
  const [isPending, setIsPending] = useState(false)

  async function handleSubmit(event: FormEvent): Promise<void> {
    event.preventDefault()
    setFailure(null)
    setIsPending(true)
    await proveBySecurityKey(chosenId, rpId ?? '').catch((error: unknown) =>
      setFailure(describeKeyError(error)),
    )
    setIsPending(false)
  }

  return (
    <SignInCard
      title={t('Use your passkey or security key')}
      intro={<ForAccount account={account} />}
      failure={failure}
      isPending={isPending}
      submitText={isPending ? t('Waiting for your key...') : t('Use it now')}
      onSubmit={(event) => void handleSubmit(event)}
      ways={ways}
    >
      <AuthenticatorSelect of={keys} chosenId={chosenId} onChoose={setChosenId} />
    </SignInCard>
  )
}

function PhoneForm({ account, ways }: StepFormProps) {
  const phones = authenticatorsOf(account.factors ?? []).filter(isPhone)
  const [chosenId, setChosenId] = useState(phones[0]?.id ?? '')
  return (
    <PhoneStep factorId={chosenId} intro={<ForAccount account={account} />} ways={ways}>
      <AuthenticatorSelect of={phones} chosenId={chosenId} onChoose={setChosenId} />
    </PhoneStep>
  )
}

interface AuthenticatorSelectProps {
  of: readonly Authenticator[]
  chosenId: string | undefined
  onChoose: (id: string) => void
}

/** Selects an authenticator. Renders nothing if there is only one. */
const AuthenticatorSelect = ({ of: authenticators, chosenId, onChoose }: AuthenticatorSelectProps) =>
  authenticators.length > 1 ? (
    <Field label={t('Authenticator')}>
      <Select value={chosenId} onChange={(event) => onChoose(event.target.value)} controlSize="lg">
        <Options of={authenticators.map((each) => ({ value: each.id, label: nameOf(each) }))} />
      </Select>
    </Field>
  ) : null

function RecoveryCodeForm({ account, ways }: StepFormProps) {
  const code = useCode({
    onCheck: proveByRecoveryCode,
    describeError: describeRecoveryCodeError,
    incomplete: t('Enter one of your recovery codes.'),
    minLength: 1,
  })
  const { onComplete: _, onChange, ...field } = code.field
  return (
    <CodeCard title={t('Enter a recovery code')} account={account} code={code} ways={ways}>
      <Field
        label={t('Recovery code')}
        isRequired
        hint={t('You stored them when you set up two-factor sign-in. Each works once.')}
      >
        <Input
          {...field}
          onChange={(event) => onChange(event.target.value)}
          controlSize="lg"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
        />
      </Field>
    </CodeCard>
  )
}

interface CodeCardProps extends StepFormProps {
  title: string
  code: ReturnType<typeof useCode>
  children: ReactNode
}

function CodeCard({ title, account, code, ways, children }: CodeCardProps) {
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    code.submit()
  }
  return (
    <SignInCard
      title={title}
      intro={<ForAccount account={account} />}
      failure={code.failure}
      isPending={code.isPending}
      submitText={code.isPending ? t('Verifying...') : t('Verify')}
      onSubmit={handleSubmit}
      ways={ways}
    >
      {children}
    </SignInCard>
  )
}

const ForAccount = ({ account }: { account: User }) => (
  <>
    {rich('For {email}.', {
      email: <bdi className="font-medium text-ink">{account.email || `+${account.phone}`}</bdi>,
    })}
  </>
)

const FORMS: Readonly<Record<StepWay, ComponentType<StepFormProps>>> = {
  code: CodeForm,
  key: KeyForm,
  phone: PhoneForm,
  'recovery-code': RecoveryCodeForm,
}

async function findAuthenticator(): Promise<string> {
  const first = (await listAuthenticators()).find(isApp)
  if (!first) throw new Error('This account no longer has an authenticator app. Go back and sign in again.')
  return first.id
}
