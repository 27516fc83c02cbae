import {
  BufferAttribute,
  BufferGeometry,
  LineBasicMaterial,
  LineSegments,
  PerspectiveCamera,
  Scene,
  Vector3,
} from 'three'
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js'
import { cssColor } from '../../viewer/scene/css-color.ts'
import {
  CAMERA_FOV_DEGREES,
  fitDistance,
  homeDirection,
  towardCamera,
  type Vec3,
} from '../../viewer/scene/view-math.ts'
import type { ReadyToolpath } from './toolpath-message.ts'
import { createRenderer, fitRenderer } from '../../viewer/scene/renderer.ts'

const FILL = 0.8

export type LayerScene = ReturnType<typeof createLayerScene>

/**
 * Draws the layers of a print as lines inside `container`. Redraws only after a change. Throws if the browser has no
 * WebGL.
 */
export function createLayerScene(container: HTMLElement, path: ReadyToolpath, label: string) {
  const renderer = createRenderer(label, 'rounded-control')
  const canvas = renderer.domElement
  container.append(canvas)

  const camera = new PerspectiveCamera(CAMERA_FOV_DEGREES)
  camera.up.set(0, 0, 1)
  const scene = new Scene()
  const position = new BufferAttribute(path.positions, 3)
  const color = new BufferAttribute(path.shades, 3, true)
  // Both objects share the same lines, and each draws a part of them.
  const lower = linesOf(position, color)
  const top = linesOf(position, color)
  top.renderOrder = 1
  scene.add(lower, top)

  const size: Vec3 = [path.max[0] - path.min[0], path.max[1] - path.min[1], path.max[2] - path.min[2]]
  const reach = Math.max(1, Math.hypot(...size))
  const middle = new Vector3(
    (path.min[0] + path.max[0]) / 2,
    (path.min[1] + path.max[1]) / 2,
    (path.min[2] + path.max[2]) / 2,
  )
  const controls = new OrbitControls(camera, canvas)
  controls.dampingFactor = 0.12
  controls.minDistance = reach * 0.05
  controls.maxDistance = reach * 20
  controls.target.copy(middle)

  let frame = 0
  const draw = () => {
    frame = 0
    controls.update()
    const distance = controls.getDistance()
    camera.near = Math.max(distance / 500, distance - reach * 2)
    camera.far = distance + reach * 2
    camera.updateProjectionMatrix()
    renderer.render(scene, camera)
  }
  const requestDraw = () => {
    if (frame === 0) frame = requestAnimationFrame(draw)
  }
  controls.addEventListener('change', requestDraw)

  let isUntouched = true
  controls.addEventListener('start', () => {
    isUntouched = false
  })
  const resize = () => {
    if (!fitRenderer(container, renderer, camera)) return
    if (isUntouched) {
      const direction = homeDirection(size)
      const distance = fitDistance(size, direction, camera.aspect, FILL)
      camera.position.copy(middle).addScaledVector(new Vector3(...towardCamera(direction)), distance)
    }
    draw()
  }
  const applyTheme = () => {
    const style = getComputedStyle(container)
    lower.material.color.copy(cssColor(style.color))
    top.material.color.copy(cssColor(style.getPropertyValue('--accent') || style.color))
    requestDraw()
  }
  const sizes = new ResizeObserver(resize)
  sizes.observe(container)
  const themes = new MutationObserver(applyTheme)
  themes.observe(document.documentElement, { attributes: true, attributeFilter: ['class'] })
  applyTheme()
  resize()

  return {
    /**
     * Shows the layers up to and including this one, which is highlighted. Layers are counted from 0.
     * `isAlone` hides the layers below.
     */
    showLayer: (layer: number, isAlone: boolean) => {
      const start = layer === 0 ? 0 : (path.layerEnds[layer - 1] ?? 0)
      const end = path.layerEnds[layer] ?? start
      lower.visible = !isAlone
      lower.geometry.setDrawRange(0, 2 * start)
      top.geometry.setDrawRange(2 * start, 2 * (end - start))
      requestDraw()
    },
    dispose: () => {
      cancelAnimationFrame(frame)
      sizes.disconnect()
      themes.disconnect()
      controls.dispose()
      for (const lines of [lower, top]) {
        lines.geometry.dispose()
        lines.material.dispose()
      }
      renderer.dispose()
      // A browser allows about sixteen WebGL contexts, including unused ones that are not garbage-collected yet, so
      // release this one immediately.
      if (!renderer.getContext().isContextLost()) renderer.forceContextLoss()
      canvas.remove()
    },
  }
}

function linesOf(position: BufferAttribute, color: BufferAttribute) {
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', position)
  geometry.setAttribute('color', color)
  const lines = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true }))
  // Skip the frustum culling, for which three.js would read every line again to find the extent.
  lines.frustumCulled = false
  return lines
}
