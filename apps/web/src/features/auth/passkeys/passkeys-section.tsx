import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { ICON } from '@/components/ui/icon-props.ts'
import { QueryError } from '@/components/query-error.tsx'
import { Skeleton, SkeletonGroup } from '@/components/ui/feedback/skeleton.tsx'
import { formatDate } from '@/lib/format/format.ts'
import { useConfig } from '@/lib/http/config.ts'
import { canUseKeys } from '@/lib/browser/can-use-keys.ts'
import { type Passkey, addPasskey } from '@/lib/session/factors/passkeys.ts'
import { Section, SectionList } from '../profile/section.tsx'
import { passkeysQuery } from '../profile/security.queries.ts'
import { describeKeyError } from '../second-factor/code-message.ts'
import { RemovePasskeyDialog, RenamePasskeyDialog } from './passkey-dialogs.tsx'
import { t } from '@/lib/i18n/messages.ts'

interface Change {
  passkey: Passkey
  kind: 'rename' | 'remove'
}

const lastUse = ({ last_used_at: at }: Passkey): string =>
  at === undefined ? t('not used yet') : t('last used {at}', { at: formatDate(at) })

/** Lists the passkeys of the signed-in person, and adds, renames and removes them. */
export function PasskeysSection() {
  const rpId = useConfig()?.webauthn_rp_id
  const passkeys = useQuery(passkeysQuery)
  const queryClient = useQueryClient()
  const [change, setChange] = useState<Change | null>(null)
  const refresh = () => queryClient.invalidateQueries(passkeysQuery)
  const add = useMutation({ mutationFn: addPasskey, onSuccess: refresh })
  const items = passkeys.data ?? []
  const Dialog = change?.kind === 'rename' ? RenamePasskeyDialog : RemovePasskeyDialog
  return (
    <Section
      title={t('Passkeys')}
      intro={t('A passkey on your phone or computer signs you in without your password.')}
    >
      {passkeys.isPending ? <PasskeysSkeleton /> : null}
      <QueryError query={passkeys} message={t('Your passkeys could not be loaded.')} />
      {add.error ? <AlertBox title={describeKeyError(add.error)} /> : null}
      {items.length > 0 ? (
        <SectionList label={t('Passkeys')}>
          {items.map((passkey) => (
            <li key={passkey.id} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3 py-2.5">
              <div className="min-w-0 flex-1">
                <p className="truncate font-medium">{passkey.friendly_name}</p>
                <p className="text-caption text-ink-3">
                  {t('Added {created_at}, {lastUse}', {
                    created_at: formatDate(passkey.created_at),
                    lastUse: lastUse(passkey),
                  })}
                </p>
              </div>
              {(['rename', 'remove'] as const).map((kind) => (
                <Button
                  key={kind}
                  size="sm"
                  aria-label={VERBS[kind].label(passkey.friendly_name ?? '')}
                  onClick={() => setChange({ passkey, kind })}
                >
                  {VERBS[kind].verb}
                </Button>
              ))}
            </li>
          ))}
        </SectionList>
      ) : null}
      {passkeys.data && canUseKeys(rpId) ? (
        <Button
          icon={<KeyRound {...ICON} />}
          isPending={add.isPending}
          onClick={() => add.mutate()}
          className="self-start phone:self-stretch"
        >
          {t('Add a passkey')}
        </Button>
      ) : null}
      {change ? (
        <Dialog passkey={change.passkey} onClose={() => setChange(null)} onChanged={refresh} />
      ) : null}
    </Section>
  )
}

const VERBS = {
  rename: { verb: t('Rename'), label: (name: string) => t('Rename {name}', { name }) },
  remove: { verb: t('Remove'), label: (name: string) => t('Remove {name}', { name }) },
} as const

const PasskeysSkeleton = () => (
  <SkeletonGroup label={t('Loading your passkeys')}>
    <Skeleton className="h-8 w-48 phone:h-11" />
  </SkeletonGroup>
)
