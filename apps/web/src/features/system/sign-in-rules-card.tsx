import { type SignInRules, updateSignInRules } from '@pegasus/contracts/auth/sign-in-rules'
import { ROLES, type Role, hasRole } from '@pegasus/contracts/roles'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { QueryError } from '@/components/query-error.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { SkeletonLines } from '@/components/ui/feedback/skeleton.tsx'
import { Checkbox } from '@/components/ui/forms/checkbox.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { formatCount } from '@/lib/format/format.ts'
import { callApi, ifMatch } from '@/lib/http/api.ts'
import { errorDetail } from '@/lib/http/api-error.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { signInRulesQuery } from './system.queries.ts'
import { t } from '@/lib/i18n/messages.ts'
import { ROLE_LABELS } from '@/lib/i18n/roles.ts'

/** Shows which roles need a second factor. Owners can change it; each tick is saved immediately. */
export function SignInRulesCard() {
  const rules = useQuery(signInRulesQuery)
  return (
    <Card title={t('Two-factor authentication by role')}>
      <QueryError query={rules} message={t('The rules for sign-ins could not be loaded.')} />
      {rules.isPending ? (
        <SkeletonLines
          label={t('Loading the rules for sign-ins')}
          count={4}
          className="flex flex-col gap-3 p-4"
        />
      ) : null}
      {rules.data ? <Roles rules={rules.data} /> : null}
    </Card>
  )
}

function Roles({ rules }: { rules: SignInRules }) {
  const client = useQueryClient()
  const isOwner = hasRole(useCurrentUser().role, 'owner')
  const saving = useMutation({
    mutationFn: (roles: Role[]) =>
      callApi(updateSignInRules, {
        body: { second_factor_roles: roles },
        headers: ifMatch(rules.revision),
      }),
    onSuccess: (saved) => {
      client.setQueryData(signInRulesQuery.queryKey, saved)
      toast({ title: t('The rule is saved.') })
    },
    onError: (error) => {
      toast({ title: errorDetail(error, t('The rule could not be saved.')) })
      return client.invalidateQueries(signInRulesQuery)
    },
  })
  const { second_factor_roles: demanded, without_second_factor: without } = rules
  return (
    <fieldset className="flex flex-col gap-2 p-4" disabled={!isOwner || saving.isPending}>
      <legend className="sr-only">{t('Roles that need a second factor')}</legend>
      <p className="text-ink-2">
        {t(
          'People with a selected role must set up a second factor after they sign in, before they can do anything else. API keys are not affected.',
        )}
      </p>
      {ROLES.map((role) => (
        <Checkbox
          key={role}
          label={<span className="capitalize">{ROLE_LABELS[role]}</span>}
          hint={
            without[role] ? t('{role} without a second factor', { role: formatCount(without[role]) }) : ''
          }
          checked={demanded.includes(role)}
          onChange={({ target: { checked } }) =>
            saving.mutate(checked ? [...demanded, role] : demanded.filter((each) => each !== role))
          }
        />
      ))}
      {isOwner ? null : <p className="text-label text-ink-3">{t('Only an owner can change this.')}</p>}
    </fieldset>
  )
}
