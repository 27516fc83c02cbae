import type { Model } from '@pegasus/contracts/stl-library/models'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { Card } from '@/components/ui/display/card.tsx'
import { formatKb } from '@/lib/format/format.ts'
import { withModel } from '../library-address.ts'
import { measureLine } from './model-measures.ts'
import { ModelPicture } from '../cards/model-picture.tsx'
import { similarQuery } from '../model-forms/model-mutations.ts'
import { LICENSE_LABELS } from '@/lib/i18n/licenses.ts'
import { t } from '@/lib/i18n/messages.ts'

const REASONS = { same_bytes: t('The same file'), same_shape: t('The same shape') } as const

/** Lists possible duplicates. Renders nothing if there are none. */
export function SimilarCard({ model }: { model: Model }) {
  const [params] = useSearchParams()
  const { data } = useQuery(similarQuery(model.id))
  if (!data || data.length === 0) return null
  return (
    <Card title={t('Possibly the same')} aside={data.length}>
      <ul className="divide-y divide-line">
        {data.map(({ reason, model: other }) => (
          <li key={other.id} className="relative flex items-center gap-3 px-4 py-2.5 hover:bg-hover">
            <ModelPicture model={other} className="size-14" isSmall />
            <div className="min-w-0 flex-1">
              <Link
                to={`?${withModel(params, other.id)}`}
                className="block truncate font-medium after:absolute after:inset-0"
                title={other.title}
              >
                <bdi className="block truncate">{other.title}</bdi>
              </Link>
              <p className="truncate text-caption text-ink-3">
                {measureLine(other) ?? formatKb(other.file_size)} · {LICENSE_LABELS[other.license_type]}
              </p>
            </div>
            <span className="shrink-0 text-label text-ink-2">{REASONS[reason]}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
