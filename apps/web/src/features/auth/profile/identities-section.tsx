import type { UserIdentity } from '@supabase/auth-js'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link2 } from 'lucide-react'
import { useState } from 'react'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { QueryError } from '@/components/query-error.tsx'
import { ConfirmDialog } from '@/components/ui/overlays/confirm-dialog.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { formatDate } from '@/lib/format/format.ts'
import { useConfig } from '@/lib/http/config.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { linkProvider, unlinkIdentity } from '@/lib/session/identities.ts'
import { providerMessage } from '../provider-message.ts'
import { Section, SectionList, SectionListSkeleton } from './section.tsx'
import { identitiesQuery } from './security.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

/** The names of sign-in methods that are not configured providers. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ['email', t('Email and password')],
  ['web3', t('Wallet')],
])

/** Returns the name by which the provider knows the person: the email address, or the id of the identity. */
function subjectOf({ identity_data: data, id }: UserIdentity): string {
  const email: unknown = data?.['email']
  return typeof email === 'string' && email !== '' ? email : id
}

/** Lists the sign-in methods of the signed-in person, and links and unlinks them. */
export function IdentitiesSection() {
  const config = useConfig()
  const identities = useQuery(identitiesQuery)
  const queryClient = useQueryClient()
  const [leaving, setLeaving] = useState<UserIdentity | null>(null)
  const link = useMutation({ mutationFn: linkProvider })
  const providers = config?.sign_in_providers ?? []
  const { sso_managed: isSsoManaged } = useCurrentUser()
  const isAllowed = (config?.links_identities ?? false) && !isSsoManaged
  const items = identities.data ?? []
  const labelOf = ({ provider }: UserIdentity): string =>
    providers.find(({ name }) => name === provider)?.label ??
    LABELS.get(provider) ??
    (provider.startsWith('sso:') ? t('Single sign-on') : provider)
  const free = providers.filter(({ name }) => items.every(({ provider }) => provider !== name))
  return (
    <Section title={t('Ways to sign in')} intro={t('You can sign in with each of them.')}>
      {identities.isPending ? (
        <SectionListSkeleton
          label={t('Loading your ways to sign in')}
          count={1}
          bars={['h-3.5 w-40', 'h-3 w-52']}
        />
      ) : null}
      <QueryError query={identities} message={t('Your ways to sign in could not be loaded.')} />
      {link.error ? (
        <AlertBox title={providerMessage(link.error, t('This did not work. Please try again.'))} />
      ) : null}
      {items.length > 0 ? (
        <SectionList label={t('Ways to sign in')}>
          {items.map((identity) => (
            <li key={identity.identity_id} className="flex items-center gap-3 px-3 py-2.5">
              <div className="min-w-0 flex-1">
                <p className="font-medium">{labelOf(identity)}</p>
                <p className="text-label text-ink-2 wrap-anywhere">{subjectOf(identity)}</p>
                {identity.created_at ? (
                  <p className="text-caption text-ink-3">
                    {t('Added {created_at}', { created_at: formatDate(identity.created_at) })}
                  </p>
                ) : null}
              </div>
              {isAllowed && items.length > 1 ? (
                <Button
                  size="sm"
                  aria-label={t('Unlink {identity}', { identity: labelOf(identity) })}
                  onClick={() => setLeaving(identity)}
                >
                  {t('Unlink')}
                </Button>
              ) : null}
            </li>
          ))}
        </SectionList>
      ) : null}
      {isAllowed && identities.data && free.length > 0 ? (
        <div className="flex flex-wrap gap-2">
          {free.map(({ name, label }) => (
            <Button
              key={name}
              icon={<Link2 size={16} strokeWidth={1.75} aria-hidden />}
              isPending={link.isPending && link.variables === name}
              onClick={() => link.mutate(name)}
              className="phone:grow"
            >
              {t('Link {label}', { label })}
            </Button>
          ))}
        </div>
      ) : null}
      {leaving ? (
        <UnlinkDialog
          identity={leaving}
          label={labelOf(leaving)}
          onClose={() => setLeaving(null)}
          onUnlinked={() => queryClient.invalidateQueries(identitiesQuery)}
        />
      ) : null}
    </Section>
  )
}

interface UnlinkDialogProps {
  identity: UserIdentity
  label: string
  onClose: () => void
  onUnlinked: () => Promise<void>
}

function UnlinkDialog({ identity, label, onClose, onUnlinked }: UnlinkDialogProps) {
  const unlink = useMutation({
    mutationFn: () => unlinkIdentity(identity),
    onSuccess: async () => {
      onClose()
      await onUnlinked()
      toast({ title: t('{label} unlinked', { label }) })
    },
  })
  return (
    <ConfirmDialog
      title={t('Unlink {label}?', { label })}
      keepLabel={t('Keep it')}
      confirmLabel={t('Unlink')}
      isPending={unlink.isPending}
      error={unlink.error && providerMessage(unlink.error, t('This did not work. Please try again.'))}
      onConfirm={unlink.mutate}
      onClose={onClose}
    >
      {identity.provider === 'email'
        ? t('This removes your password, and your account gets the email address of another way to sign in.')
        : t('{label} will no longer open your account. Your other ways to sign in will stay.', { label })}
    </ConfirmDialog>
  )
}
