import type { Publication } from '@pegasus/contracts/products/publishing'
import { useQuery } from '@tanstack/react-query'
import { CardState } from '@/components/card-state.tsx'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { formatAgo, formatDateTime } from '@/lib/format/format.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { publicationsQuery } from '../products.queries.ts'
import { rich, t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'

/** Lists the attempts to publish the product, newest first. */
export function PublicationsCard({ id }: { id: string }) {
  const publications = useQuery(publicationsQuery(id))
  return (
    <Card
      title={t('Publications')}
      aside={publications.data && publications.data.length > 0 ? publications.data.length : null}
    >
      <CardState
        error={t('The publications could not be loaded.')}
        loading={t('The publications: loading')}
        query={publications}
      />
      {publications.data?.length === 0 ? (
        <p className="px-4 py-3 text-ink-2">{t('Not published yet.')}</p>
      ) : null}
      <ol className="max-h-96 divide-y divide-line overflow-y-auto">
        {publications.data?.map((publication) => (
          <PublicationRow key={publication.id} publication={publication} />
        ))}
      </ol>
    </Card>
  )
}

function PublicationRow({ publication }: { publication: Publication }) {
  const nowMs = useNow()
  const { status, target, tries, http_status: httpStatus, message, actor } = publication
  const at = publication.finished_at ?? publication.sent_at ?? publication.created_at
  return (
    <li className="px-4 py-2.5">
      <div className="flex items-center gap-2">
        <StatusBadge status={status} />
        <span className="text-caption text-ink-3">
          {joinFacts([
            target === 'local' ? t('local catalog') : t('main site'),
            tries > 1 && t('{tries, plural, one {# try} other {# tries}}', { tries }),
            status === 'failed' && httpStatus !== null && t('HTTP {httpStatus}', { httpStatus }),
          ])}
        </span>
        <span className="ms-auto text-caption whitespace-nowrap text-ink-3" title={formatDateTime(at)}>
          {formatAgo(at, nowMs)}
        </span>
      </div>
      {message ? (
        <p className={`mt-1 text-label wrap-anywhere ${status === 'failed' ? 'text-red-ink' : 'text-ink-2'}`}>
          {serverText(message)}
        </p>
      ) : null}
      <p className="mt-0.5 text-caption text-ink-3">{rich('by {name}', { name: <bdi>{actor.name}</bdi> })}</p>
    </li>
  )
}
