import type { Model } from '@pegasus/contracts/stl-library/models'
import { Box, CircleAlert, Ruler, TriangleAlert } from 'lucide-react'
import { ProductBadge } from '@/components/ui/display/badge.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { cx } from '@/lib/class-names.ts'
import { gravestWarning, isAboutUnits, shortWarning } from '../model-page/model-warnings.ts'
import { t } from '@/lib/i18n/messages.ts'

interface ModelPictureProps {
  model: Pick<
    Model,
    | 'thumbnail_path'
    | 'second_thumbnail_path'
    | 'analysis_status'
    | 'bounding_box_mm'
    | 'is_product'
    | 'warnings'
  >
  /** Classes that set the size. A small picture shows no badges. */
  className: string
  isSmall?: boolean
  /** True if the back is shown while the surrounding `group` is hovered or focused. */
  hasBack?: boolean
}

/**
 * A model on a plinth. While the model is being measured, a blank part is shown; if measuring failed, a
 * message.
 */
export function ModelPicture({ model, className, isSmall = false, hasBack = false }: ModelPictureProps) {
  const warning = gravestWarning(model.warnings)
  return (
    <div className={cx('relative shrink-0 overflow-hidden', className)}>
      {model.thumbnail_path ? (
        <PartPicture
          src={model.thumbnail_path}
          className={cx('size-full [&>img]:scale-113', !isSmall && 'rounded-none!')}
        />
      ) : (
        <NoPicture model={model} isSmall={isSmall} />
      )}
      {hasBack && model.second_thumbnail_path ? <Back src={model.second_thumbnail_path} /> : null}
      {!isSmall && model.is_product ? <ProductBadge className="absolute top-2 end-2" /> : null}
      {!isSmall && warning ? (
        <span className="absolute bottom-2 start-2 inline-flex h-[22px] max-w-[calc(100%-1rem)] items-center gap-[5px] rounded-badge bg-yellow-soft px-[7px] text-caption font-[550] text-yellow-ink">
          {isAboutUnits(warning) ? (
            <Ruler size={14} strokeWidth={1.75} className="shrink-0" aria-hidden />
          ) : (
            <TriangleAlert size={14} strokeWidth={1.75} className="shrink-0" aria-hidden />
          )}
          <span className="truncate">{shortWarning(warning)}</span>
        </span>
      ) : null}
    </div>
  )
}

/** The back loads on the first hover, because a `lazy` image waits until it is displayed. */
const Back = ({ src }: { src: string }) => (
  <span className="absolute inset-0 hidden animate-enter plinth group-focus-within:block group-hover:block touch:hidden!">
    <img
      src={src}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      className="size-full scale-113 object-contain"
    />
  </span>
)

function NoPicture({ model, isSmall }: Pick<ModelPictureProps, 'model'> & { isSmall: boolean }) {
  const { analysis_status: status, bounding_box_mm: box } = model
  const text = {
    // The server measures the size first, and then draws the picture.
    pending: box ? t('Drawing the picture…') : t('Measuring…'),
    failed: t('Could not be measured'),
    done: t('No picture'),
  }[status]
  return (
    <div
      className={cx(
        'grid size-full place-content-center justify-items-center gap-1.5',
        status === 'pending' ? 'shimmer' : 'bg-sunken',
        isSmall && 'rounded-control',
      )}
    >
      {status === 'failed' ? (
        <CircleAlert size={20} strokeWidth={1.5} className="text-red-ink" aria-hidden />
      ) : (
        <Box size={isSmall ? 20 : 40} strokeWidth={1} className="text-ink-3" aria-hidden />
      )}
      <span className={isSmall ? 'sr-only' : 'text-caption text-ink-2'}>{text}</span>
    </div>
  )
}
