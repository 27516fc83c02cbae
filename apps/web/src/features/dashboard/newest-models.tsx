import type { ListedModel } from '@pegasus/contracts/stl-library/models'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { SummaryCard } from '@/components/kit/summary-card.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { Skeleton } from '@/components/ui/feedback/skeleton.tsx'
import { formatAgo, formatDateTime, formatKb } from '@/lib/format/format.ts'
import { modelsQuery } from '@/lib/http/models.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

/** The number of shown models. It fills rows of 6, 4, 3 and 2. */
const SHOWN = 12
const GRID = 'grid grid-cols-2 gap-4 p-4 sm:grid-cols-3 lg:grid-cols-4 xl:grid-cols-6 phone:gap-3 phone:p-3'

interface NewestModelsProps {
  modelAddress: (id: string) => string
  libraryAddress: string
}

/** Shows the newest models, as long as the shop has only a few models. */
export const NewestModels = ({ modelAddress, libraryAddress }: NewestModelsProps) => (
  <SummaryCard
    title={t('Newest models')}
    link={{ to: libraryAddress, label: t('Open library') }}
    query={useQuery(modelsQuery({ limit: SHOWN }))}
    name={t('newest models')}
    count={SHOWN}
    layoutClass={GRID}
    skeletonRow={
      <div>
        <Skeleton className="aspect-[5/4] w-full rounded-control" />
        <Skeleton className="mt-3 h-3 w-3/4" />
        <Skeleton className="mt-2 mb-1 h-2.5 w-1/2" />
      </div>
    }
  >
    {(model) => <ModelTile key={model.id} model={model} address={modelAddress(model.id)} />}
  </SummaryCard>
)

function ModelTile({ model, address }: { model: ListedModel; address: string }) {
  return (
    <li className="min-w-0">
      <Link to={address} title={model.title} className="group block rounded-control">
        <PartPicture src={model.thumbnail_path} className="aspect-[5/4] w-full" />
        <bdi className="mt-2 block truncate font-medium group-hover:underline">{model.title}</bdi>
        <span className="block truncate text-caption text-ink-3" title={formatDateTime(model.created_at)}>
          {formatKb(model.file_size)} · {formatAgo(model.created_at, Date.now())}
        </span>
      </Link>
    </li>
  )
}
