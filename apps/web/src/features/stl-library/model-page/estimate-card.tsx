import type { Model, SlicedPiece } from '@pegasus/contracts/stl-library/models'
import { Card } from '@/components/ui/display/card.tsx'
import { formatGrams, formatMinutes } from '@/lib/format/format.ts'
import { Property, PropertyList } from '@/components/property-list.tsx'
import { t } from '@/lib/i18n/messages.ts'

/** The most common materials. The others are collapsed. */
const USUAL: readonly string[] = ['PLA', 'PETG', 'ABS', 'ASA']

interface EstimateCardProps {
  estimate: NonNullable<Model['print_estimate']>
  /** The model's intended material, which is listed first; null if unknown. */
  material: string | null
}

/** Shows the weight and time of one print, and the basis of these figures. */
export function EstimateCard({ estimate, material }: EstimateCardProps) {
  const { source, minutes, assumptions } = estimate
  const isOwn = (weight: { material: string }) =>
    weight.material.toLowerCase() === material?.trim().toLowerCase()
  const weights = [...estimate.weights.filter(isOwn), ...estimate.weights.filter((weight) => !isOwn(weight))]
  const isMain = (weight: { material: string }) =>
    weights.length <= USUAL.length || isOwn(weight) || USUAL.includes(weight.material)
  const others = weights.filter((weight) => !isMain(weight))
  return (
    <Card
      title={t('Print estimate')}
      aside={source === 'slicer' ? t('from the slicer') : t('from the geometry')}
    >
      <PropertyList>
        {minutes === null ? null : (
          <Property name={t('Time')}>
            {source === 'geometry'
              ? t('about {time}', { time: formatMinutes(minutes) })
              : formatMinutes(minutes)}
          </Property>
        )}
        <Weights weights={weights.filter(isMain)} />
      </PropertyList>
      {others.length > 0 ? (
        <details className="border-t border-line text-label">
          <summary className="px-4 py-2 text-ink-2">{t('In other materials')}</summary>
          <PropertyList>
            <Weights weights={others} />
          </PropertyList>
        </details>
      ) : null}
      {assumptions.length > 0 ? (
        <p className="border-t border-line px-4 py-2.5 text-label text-ink-2">
          <span className="text-ink-3">{t('Assumed:')} </span>
          {assumptions.join(', ')}.
        </p>
      ) : null}
    </Card>
  )
}

/** Shows the weight and time of one piece of the newest sliced file, which are exact. */
export const SlicedPieceCard = ({ piece }: { piece: SlicedPiece }) => (
  <Card title={t('Print estimate')} aside={t('from the sliced file')}>
    <PropertyList>
      <Property name={t('Time')}>{formatMinutes(piece.minutes)}</Property>
      <Property name={piece.material ?? t('Filament')}>{formatGrams(piece.grams)}</Property>
    </PropertyList>
    <p className="border-t border-line px-4 py-2.5 text-label text-ink-2 wrap-anywhere">
      {piece.plates > 1
        ? t('One piece of {file}, with all {plates} plates of the file.', {
            file: piece.file_name,
            plates: piece.plates,
          })
        : t('One piece of {file}, which prints {pieces, plural, one {# piece} other {# pieces}} at once.', {
            file: piece.file_name,
            pieces: piece.pieces,
          })}
    </p>
  </Card>
)

const Weights = ({ weights }: { weights: { material: string; grams: number }[] }) =>
  weights.map(({ material, grams }) => (
    <Property key={material} name={material}>
      {formatGrams(grams)}
    </Property>
  ))
