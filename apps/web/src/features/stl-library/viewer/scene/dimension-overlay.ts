import { boxCorners, boxEdges, dimensionLines, isEndOn, type Vec3 } from './view-math.ts'

type Point = readonly [number, number]

const SVG = 'http://www.w3.org/2000/svg'

/**
 * Draws the bounding box and the dimension lines as SVG above the canvas. They are sharp at any zoom, and use the
 * page's own colors and font.
 */
export function createDimensionOverlay(size: Vec3, labels: readonly string[]) {
  const root = document.createElement('div')
  root.className = 'pointer-events-none absolute inset-0 overflow-hidden'
  root.setAttribute('aria-hidden', 'true')
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('class', 'absolute inset-0 size-full')
  root.append(svg)
  const edges = Array.from({ length: 12 }, () => svgChild(svg, 'line', 'stroke-accent'))
  const dimensions = labels.map((text) => {
    const line = svgChild(svg, 'line', 'stroke-ink')
    line.setAttribute('stroke-width', '1.25')
    const dots = [svgChild(svg, 'circle', 'fill-ink'), svgChild(svg, 'circle', 'fill-ink')] as const
    for (const dot of dots) dot.setAttribute('r', '2.5')
    const label = document.createElement('span')
    label.textContent = text
    label.className =
      'absolute top-0 left-0 rounded-badge border border-line-2 bg-surface px-1.5 py-0.5 text-caption font-semibold whitespace-nowrap tabular-nums text-ink'
    root.append(label)
    return { line, dots, label }
  })

  /** Updates the lines for one frame. `project` converts a point of the scene to pixels of the canvas. */
  const update = (camera: Vec3, project: (point: Vec3) => Point) => {
    const corners = boxCorners(size).map(project)
    boxEdges(size, camera).forEach(({ from, to, isHidden }, i) => {
      const line = edges[i] as SVGLineElement
      setLine(line, corners[from] as Point, corners[to] as Point)
      line.setAttribute('stroke-width', isHidden ? '1' : '1.25')
      line.setAttribute('stroke-dasharray', isHidden ? '3 5' : 'none')
      line.setAttribute('opacity', isHidden ? '0.45' : '0.8')
    })
    let leftmost = 0
    for (let i = 1; i < 4; i++) if ((corners[i] as Point)[0] < (corners[leftmost] as Point)[0]) leftmost = i
    for (const { axis, from, to } of dimensionLines(size, camera, leftmost)) {
      const dimension = dimensions[axis]
      if (!dimension) continue
      const [a, b] = [project(from), project(to)]
      const isShown = !isEndOn(axis, size, camera)
      dimension.label.hidden = !isShown
      for (const part of [dimension.line, ...dimension.dots])
        part.setAttribute('visibility', isShown ? 'visible' : 'hidden')
      setLine(dimension.line, a, b)
      for (const [dot, at] of [
        [dimension.dots[0], a],
        [dimension.dots[1], b],
      ] as const) {
        dot.setAttribute('cx', String(at[0]))
        dot.setAttribute('cy', String(at[1]))
      }
      const [x, y] = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]
      dimension.label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -50%)`
    }
  }

  return { root, update }
}

function svgChild<K extends 'line' | 'circle'>(svg: SVGSVGElement, name: K, className: string) {
  const element = document.createElementNS(SVG, name)
  element.setAttribute('class', className)
  svg.append(element)
  return element as SVGElementTagNameMap[K]
}

function setLine(line: SVGLineElement, a: Point, b: Point) {
  line.setAttribute('x1', a[0].toFixed(1))
  line.setAttribute('y1', a[1].toFixed(1))
  line.setAttribute('x2', b[0].toFixed(1))
  line.setAttribute('y2', b[1].toFixed(1))
}
