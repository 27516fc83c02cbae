import { Box, Grid3x3, Maximize, Minus, Plus, Ruler, Square } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { SegmentedControl } from '@/components/ui/forms/segmented-control.tsx'
import { BED_SIZE_MM } from './scene/bed-size.ts'
import { SMALL_ICON } from '@/components/ui/icon-props.ts'
import { t } from '@/lib/i18n/messages.ts'

export interface ViewerView {
  isWireframe: boolean
  hasDimensions: boolean
  hasBed: boolean
}

interface ViewerToolsProps {
  view: ViewerView
  onView: (view: ViewerView) => void
  onFit: () => void
  onZoomIn: () => void
  onZoomOut: () => void
}

/** The buttons in the corners of the 3D view. */
export function ViewerTools({ view, onView, onFit, onZoomIn, onZoomOut }: ViewerToolsProps) {
  return (
    <>
      <div className="absolute top-3 end-3 start-3 flex flex-wrap items-start justify-between gap-2 pointer-events-none *:pointer-events-auto">
        <SegmentedControl
          label={t('Surface')}
          value={view.isWireframe ? 'wireframe' : 'solid'}
          options={{
            solid: (
              <>
                <Box {...SMALL_ICON} />
                {t('Solid')}
              </>
            ),
            wireframe: (
              <>
                <Grid3x3 {...SMALL_ICON} />
                {t('Wireframe')}
              </>
            ),
          }}
          onChange={(value) => onView({ ...view, isWireframe: value === 'wireframe' })}
        />
        <div className="flex gap-1.5">
          <Toggle
            isOn={view.hasDimensions}
            onToggle={(hasDimensions) => onView({ ...view, hasDimensions })}
            icon={<Ruler {...SMALL_ICON} />}
          >
            {t('Dimensions')}
          </Toggle>
          <Toggle
            isOn={view.hasBed}
            onToggle={(hasBed) => onView({ ...view, hasBed })}
            icon={<Square {...SMALL_ICON} />}
          >
            {t('Bed {BED_SIZE_MM} × {BED_SIZE_MM}', { BED_SIZE_MM })}
          </Toggle>
        </div>
      </div>
      <div className="absolute end-3 bottom-3 flex gap-1.5">
        <IconButton label={t('Zoom in')} variant="secondary" size="sm" onClick={onZoomIn}>
          <Plus size={16} strokeWidth={1.75} aria-hidden />
        </IconButton>
        <IconButton label={t('Zoom out')} variant="secondary" size="sm" onClick={onZoomOut}>
          <Minus size={16} strokeWidth={1.75} aria-hidden />
        </IconButton>
        <Button size="sm" icon={<Maximize {...SMALL_ICON} />} onClick={onFit}>
          {t('Fit')}
        </Button>
      </div>
    </>
  )
}

interface ToggleProps {
  isOn: boolean
  onToggle: (isOn: boolean) => void
  icon: ReactNode
  children: ReactNode
}

const Toggle = ({ isOn, onToggle, icon, children }: ToggleProps) => (
  <Button
    size="md"
    icon={icon}
    aria-pressed={isOn}
    onClick={() => onToggle(!isOn)}
    className="text-label! aria-pressed:border-accent-line aria-pressed:bg-accent-soft! aria-pressed:text-accent-ink"
  >
    {children}
  </Button>
)
