import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound, MessageSquareText, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { QueryError } from '@/components/query-error.tsx'
import { Skeleton, SkeletonGroup } from '@/components/ui/feedback/skeleton.tsx'
import {
  type Enrollment,
  makeRecoveryCodes,
  removeEnrollment,
  startEnrollment,
} from '@/lib/session/factors/second-factor.ts'
import { useConfig } from '@/lib/http/config.ts'
import { canUseKeys } from '@/lib/browser/can-use-keys.ts'
import { addSecurityKey } from '@/lib/session/factors/security-keys.ts'
import { PhoneEnrollDialog } from '../phone/phone-enroll-dialog.tsx'
import { Section } from '../profile/section.tsx'
import { factorsQuery } from '../profile/security.queries.ts'
import { AuthenticatorList } from './authenticator-list.tsx'
import { describeFactorError, describeKeyError } from './code-message.ts'
import { EnrollDialog } from './enroll-dialog.tsx'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import { RecoveryCodesRow } from './recovery-codes-row.tsx'
import { t } from '@/lib/i18n/messages.ts'

/** The second factor of the signed-in account: set up, add and remove authenticators. */
export function SecondFactorSection() {
  const factors = useQuery(factorsQuery)
  const queryClient = useQueryClient()
  const [enrollment, setEnrollment] = useState<Enrollment | null>(null)
  const [newCodes, setNewCodes] = useState<string[] | null>(null)
  const refresh = () => queryClient.invalidateQueries(factorsQuery)

  const config = useConfig()
  const rpId = config?.webauthn_rp_id
  const [isAddingPhone, setIsAddingPhone] = useState(false)

  const start = useMutation({ mutationFn: startEnrollment, onSuccess: setEnrollment })
  const make = useMutation({
    mutationFn: makeRecoveryCodes,
    onSuccess: setNewCodes,
    onSettled: refresh,
  })

  const addKey = useMutation({ mutationFn: addSecurityKey, onSuccess: handleProved })

  async function handleProved(): Promise<void> {
    // Create recovery codes immediately, because otherwise a lost phone or key would mean a lost account. If
    // that fails, the section says that there are none.
    if (!factors.data?.recoveryCodes) await make.mutateAsync({ isReplacement: false }).catch(() => null)
    else await refresh()
    setEnrollment(null)
  }

  function handleCancel(given: Enrollment): void {
    setEnrollment(null)
    void removeEnrollment(given.factorId)
  }

  const failure = start.error ?? make.error
  const message = failure ? describeFactorError(failure) : addKey.error && describeKeyError(addKey.error)
  const authenticators = factors.data?.authenticators ?? []
  return (
    <Section
      title={t('Two-factor authentication')}
      intro={
        authenticators.length > 0
          ? t('After your password, sign-in asks for one of these.')
          : t(
              'It protects your account even if your password is stolen: signing in also requires a code from your phone, or a key.',
            )
      }
    >
      {factors.isPending ? <FactorsSkeleton /> : null}
      <QueryError query={factors} message={t('Your second factor could not be loaded.')} />
      {message ? <AlertBox title={message} /> : null}
      {factors.data && authenticators.length > 0 ? (
        <div className="flex flex-col divide-y divide-line rounded-control border border-line">
          <AuthenticatorList authenticators={authenticators} onRemoved={refresh} />
          <RecoveryCodesRow
            counts={factors.data.recoveryCodes}
            isMaking={make.isPending}
            onMake={(isReplacement) => make.mutateAsync({ isReplacement })}
          />
        </div>
      ) : null}
      {factors.data ? (
        <div className="flex flex-wrap gap-2 phone:flex-col">
          <Button
            variant={authenticators.length > 0 ? 'secondary' : 'primary'}
            icon={<ShieldCheck size={16} strokeWidth={1.75} aria-hidden />}
            isPending={start.isPending}
            onClick={() => start.mutate()}
          >
            {authenticators.length > 0
              ? t('Add another authenticator')
              : t('Set up two-factor authentication')}
          </Button>
          {canUseKeys(rpId) ? (
            <Button
              icon={<KeyRound size={16} strokeWidth={1.75} aria-hidden />}
              isPending={addKey.isPending}
              onClick={() => addKey.mutate(rpId)}
            >
              {t('Passkey or security key')}
            </Button>
          ) : null}
          {config?.phone_factors ? (
            <Button
              icon={<MessageSquareText size={16} strokeWidth={1.75} aria-hidden />}
              onClick={() => setIsAddingPhone(true)}
            >
              {t('Text messages to a phone')}
            </Button>
          ) : null}
        </div>
      ) : null}
      {enrollment ? (
        <EnrollDialog
          enrollment={enrollment}
          onProved={handleProved}
          onCancel={() => handleCancel(enrollment)}
        />
      ) : null}
      {isAddingPhone ? (
        <PhoneEnrollDialog onProved={handleProved} onClose={() => setIsAddingPhone(false)} />
      ) : null}
      {newCodes ? <RecoveryCodesDialog codes={newCodes} onStored={() => setNewCodes(null)} /> : null}
    </Section>
  )
}

const FactorsSkeleton = () => (
  <SkeletonGroup label={t('Loading your second factor')}>
    <Skeleton className="h-8 w-64 phone:h-11" />
  </SkeletonGroup>
)
