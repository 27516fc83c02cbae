import type { MeshMeasures, SurfaceMeasures } from './measure.ts'
import { formatCount, type MeshWarning, plural, type WarningCode } from '../types.ts'

/**
 * A part below this size was probably drawn in meters. Printed parts are at least a millimeter large, and
 * parts are rarely larger than a meter.
 */
const METERS_BELOW_MM = 1
/**
 * A part below this size was possibly drawn in inches. Prints are rarely so small, so a warning asks the uploader about
 * the unit.
 */
const INCHES_BELOW_MM = 8
/** A part above this size must be wrong, because no shop printer is ten meters long. */
const TOO_LARGE_MM = 10_000
const NO_VOLUME = 'The surface has gaps, so the volume cannot be calculated'

/**
 * Returns the warnings about a very large model, which was measured in one pass without checking whether its surface is
 * closed.
 */
export function streamedWarnings(measures: SurfaceMeasures, structural: MeshWarning[]): MeshWarning[] {
  const unchecked =
    'The model is too large to check for holes, and the picture shows only a part of the triangles'
  return [
    ...structural,
    ...sizeWarnings(measures),
    ...warn('not-checked', unchecked),
    ...(measures.isVolumeIndependent ? [] : warn('volume-uncertain', NO_VOLUME)),
  ]
}

/**
 * Returns the `structural` warnings, followed by the warnings that result from the measures. They are written for the
 * uploader.
 */
export function meshWarnings(measures: MeshMeasures, structural: MeshWarning[]): MeshWarning[] {
  return [...structural, ...sizeWarnings(measures), ...surfaceWarnings(measures)]
}

function sizeWarnings({ boundingBox }: SurfaceMeasures | MeshMeasures): MeshWarning[] {
  const [x, y, z] = boundingBox.size
  const largest = Math.max(x, y, z)
  const asWhich = largest === z ? 'tall' : 'long'
  if (largest === 0) return []
  if (largest < METERS_BELOW_MM) {
    return warn('units-metres', `${formatMm(largest)} ${asWhich}: was the model drawn in meters?`)
  }
  if (largest < INCHES_BELOW_MM) {
    return warn('units-inches', `${formatMm(largest)} ${asWhich}: was the model drawn in inches?`)
  }
  if (largest > TOO_LARGE_MM) {
    return warn(
      'units-too-large',
      `${formatMm(largest)} ${asWhich}: larger than any printer, check the units`,
    )
  }
  return []
}

function surfaceWarnings(measures: MeshMeasures): MeshWarning[] {
  const { openEdges, nonManifoldEdges, windingErrors, degenerateTriangles, duplicateTriangles } = measures
  const list: MeshWarning[] = []
  const add = (code: WarningCode, message: string) => list.push({ code, message })
  if (openEdges > 0) add('open-edges', `${plural(openEdges, 'open edge')}: the slicer may leave a hole here`)
  if (nonManifoldEdges > 0) {
    add(
      'non-manifold',
      `${plural(nonManifoldEdges, 'edge')} where more than two surfaces meet: the slicer may guess wrong`,
    )
  }
  if (windingErrors > 0) {
    add(
      'inverted',
      `${plural(windingErrors, 'edge')} between surfaces that face in opposite directions: parts may be inside out`,
    )
  } else if (measures.isInsideOut) {
    add('inverted', 'The whole model is inside out: the slicer may print it as a cavity')
  }
  if (degenerateTriangles > 0) {
    add('degenerate', `${plural(degenerateTriangles, 'triangle')} without area: usually harmless`)
  }
  if (duplicateTriangles > 0)
    add('duplicates', `${plural(duplicateTriangles, 'triangle')} twice in the same place`)
  if (!measures.isVolumeTrusted) {
    add('volume-uncertain', NO_VOLUME)
  } else if (measures.volumeMm3 === 0) {
    add('volume-uncertain', 'The model has no volume: there is nothing to print')
  }
  return list
}

function warn(code: WarningCode, message: string): MeshWarning[] {
  return [{ code, message }]
}

/** Formats a length with enough digits to recognize the size: 0.2 mm, 6.4 mm, 12,500 mm. */
function formatMm(length: number): string {
  if (length > 1e6) return 'over 1,000,000 mm'
  if (length >= 100) return `${formatCount(Math.round(length))} mm`
  if (length >= 0.1) return `${Number(length.toFixed(1))} mm`
  if (length < 0.001) return 'under 0.001 mm'
  return `${Number(length.toPrecision(1))} mm`
}
