import { hasRole } from '@pegasus/contracts/roles'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { EntityColumns, EntityPage, SkeletonCard } from '@/components/kit/entity-page.tsx'
import { ProductBadge, Tag } from '@/components/ui/display/badge.tsx'
import { Skeleton } from '@/components/ui/feedback/skeleton.tsx'
import { useCurrentUser } from '@/lib/session/session.ts'
import { EstimateCard, SlicedPieceCard } from './estimate-card.tsx'
import { Proposals } from '../model-forms/suggestions.tsx'
import { SlicesCard } from '../slices/slices-card.tsx'
import { SimilarCard } from './similar-card.tsx'
import { UsesCard } from './uses-card.tsx'
import { VersionsCard } from './versions-card.tsx'
import { withTrash } from '../library-address.ts'
import { LicenseCard } from './license-card.tsx'
import { ModelActions } from './model-actions.tsx'
import { ModelDetails } from './model-details.tsx'
import { ModelMeasures } from './model-measures-card.tsx'
import { ModelWarnings } from './model-warnings-card.tsx'
import { PicturesCard } from './pictures-card.tsx'
import { listedModel, modelQuery } from '../stl-library.queries.ts'
import type { ModelAddresses } from '../stl-library-page.tsx'
import { ModelViewer } from '../viewer/model-viewer.tsx'
import { t } from '@/lib/i18n/messages.ts'

interface ModelPageProps {
  id: string
  /** Address of the list in its previous state. */
  backTo: string
  addresses: ModelAddresses
}

/** The page of a model: viewer, measures, warnings, details and actions. */
export function ModelPage({ id, backTo, addresses }: ModelPageProps) {
  const client = useQueryClient()
  const query = useQuery({
    ...modelQuery(id),
    // The list already has the model, so the first paint is complete, including the picture.
    placeholderData: () => listedModel(client, id),
  })
  return (
    <EntityPage
      query={query}
      list={{ to: backTo, name: t('STL Library'), one: 'model' }}
      name={({ title }) => title}
      badges={(model) => <Badges model={model} />}
      actions={(model, leave) => <ModelActions model={model} addresses={addresses} onRemove={leave} />}
      notFound={{
        title: t('This model is not in the library.'),
        text: t('It may have been deleted, or the address may be incomplete.'),
        trashTo: `?${withTrash(new URLSearchParams({ tab: 'stl-library' }), true)}`,
      }}
      skeleton={
        <EntityColumns>
          <Skeleton className="h-[540px] rounded-card! phone:h-[58dvh]" />
          <SkeletonCard lines={8} lineHeight="h-4" />
        </EntityColumns>
      }
    >
      {(model) => <Content model={model} addresses={addresses} />}
    </EntityPage>
  )
}

const Badges = ({ model }: { model: Model }) => (
  <>
    {model.is_product ? <ProductBadge isOnSurface /> : null}
    {model.tags.length > 0 ? (
      <ul className="flex min-w-0 flex-wrap gap-1" aria-label={t('Tags')}>
        {model.tags.map((tag) => (
          <li key={tag} className="flex min-w-0">
            <Tag>{tag}</Tag>
          </li>
        ))}
      </ul>
    ) : null}
  </>
)

function Content({ model, addresses }: { model: Model; addresses: ModelAddresses }) {
  const canChange = hasRole(useCurrentUser().role, 'staff')
  return (
    // The second row takes the additional height of the side column, so that there is no gap.
    <EntityColumns className="items-stretch! lg:grid-rows-[auto_1fr]">
      <ModelViewer key={`${model.id} ${model.version}`} model={model} />
      <div className="flex min-w-0 flex-col gap-4 lg:col-start-2 lg:row-span-2 lg:row-start-1">
        <Proposals model={model} canChange={canChange} />
        <ModelWarnings model={model} />
        <ModelMeasures model={model} />
        {model.sliced_piece ? (
          <SlicedPieceCard piece={model.sliced_piece} />
        ) : model.print_estimate ? (
          <EstimateCard estimate={model.print_estimate} material={model.print_material} />
        ) : null}
        <LicenseCard model={model} />
        <ModelDetails model={model} />
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        <UsesCard model={model} addresses={addresses} />
        <SlicesCard model={model} canChange={canChange} />
        <VersionsCard model={model} canChange={canChange} />
        <SimilarCard model={model} />
        <PicturesCard model={model} />
      </div>
    </EntityColumns>
  )
}
