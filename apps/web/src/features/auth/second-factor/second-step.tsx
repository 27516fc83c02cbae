import type { User } from '@supabase/auth-js'
import { type FormEvent, type ReactNode, useState } from 'react'
import { CodeInput } from '@/components/ui/forms/code-input.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import {
  authenticatorsOf,
  listAuthenticators,
  proveByCode,
  proveByRecoveryCode,
} from '@/lib/session/second-factor.ts'
import { signOut } from '@/lib/session/session.ts'
import { SignInCard } from '../sign-in-card.tsx'
import { Way, Ways } from '../auth-footer-links.tsx'
import { describeFactorError, describeRecoveryCodeError } from './code-message.ts'
import { useCode } from './use-code.ts'

/** The screen between the password, or the link of a mail, and the product. After the proof the guards lead on. */
export function SecondStep({ account }: { account: User }) {
  const [hasLostPhone, setHasLostPhone] = useState(false)
  const Form = hasLostPhone ? RecoveryCodeForm : CodeForm
  return (
    <Form
      account={account}
      ways={
        <Ways>
          <Way onSelect={() => setHasLostPhone(!hasLostPhone)}>
            {hasLostPhone ? 'Use your authenticator app' : 'Use a recovery code instead'}
          </Way>
          <Way onSelect={() => void signOut()}>Back to sign in</Way>
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
  const authenticators = authenticatorsOf(account.factors ?? [])
  const [chosenId, setChosenId] = useState(authenticators[0]?.id)
  const code = useCode({
    // The cached account may be older than its authenticators.
    onCheck: async (given) => proveByCode(chosenId ?? (await findAuthenticator()), given),
    describeError: describeFactorError,
    incomplete: 'Enter all six digits of the code.',
    minLength: 6,
  })
  return (
    <CodeCard title="Enter the code of your authenticator app" account={account} code={code} ways={ways}>
      {authenticators.length > 1 ? (
        <Field label="Authenticator">
          <Select value={chosenId} onChange={(event) => setChosenId(event.target.value)} controlSize="lg">
            <Options
              of={authenticators.map(({ id, friendly_name: name }) => ({
                value: id,
                label: name || 'Authenticator app',
              }))}
            />
          </Select>
        </Field>
      ) : null}
      <Field label="Code" isRequired hint="Six digits, new ones every 30 seconds">
        <CodeInput {...code.field} controlSize="lg" autoFocus />
      </Field>
    </CodeCard>
  )
}

function RecoveryCodeForm({ account, ways }: StepFormProps) {
  const code = useCode({
    onCheck: proveByRecoveryCode,
    describeError: describeRecoveryCodeError,
    incomplete: 'Enter one of your recovery codes.',
    minLength: 1,
  })
  const { onComplete: _, onChange, ...field } = code.field
  return (
    <CodeCard title="Enter a recovery code" account={account} code={code} ways={ways}>
      <Field
        label="Recovery code"
        isRequired
        hint="You stored them when you set up two-factor sign-in. Each works once."
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
      intro={
        <>
          For <bdi className="font-medium text-ink">{account.email}</bdi>.
        </>
      }
      failure={code.failure}
      isPending={code.isPending}
      submitText={code.isPending ? 'Verifying...' : 'Verify'}
      onSubmit={handleSubmit}
      ways={ways}
    >
      {children}
    </SignInCard>
  )
}

async function findAuthenticator(): Promise<string> {
  const [first] = await listAuthenticators()
  if (!first) throw new Error('This account has no authenticator app any more. Go back and sign in again.')
  return first.id
}
