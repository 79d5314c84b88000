;; Finds the pairs of triangles (six vertices: a quad, mostly) of a Phaser batch whose bounding box meets a rectangle.
;; This is what `NearQuads.find` does without WebAssembly, eight numbers at a time and without a branch that could be
;; foreseen badly. The machine code is in `nearQuadsModule.ts`; a test compiles this file and compares.
(module
  (memory (import "game" "vertices") 1)
  ;; Looks from byte $at to byte $end, writes the number of the first vertex of each find to $out, returns how many.
  (func (export "find")
    (param $at i32) (param $end i32) (param $vertex i32) (param $out i32)
    (param $minX f32) (param $minY f32) (param $maxX f32) (param $maxY f32)
    (result i32)
    (local $low v128) (local $high v128) (local $corner v128) (local $min v128) (local $max v128) (local $next i32)
    ;; Only the lanes of x and y count.
    (local.set $low (f32x4.replace_lane 1 (f32x4.splat (local.get $minX)) (local.get $minY)))
    (local.set $high (f32x4.replace_lane 1 (f32x4.splat (local.get $maxX)) (local.get $maxY)))
    (local.set $next (local.get $out))
    (block $done
      (loop $more
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        ;; A vertex is 28 bytes, x and y first.
        (local.set $corner (v128.load64_zero (local.get $at)))
        (local.set $min (local.get $corner))
        (local.set $max (local.get $corner))
        (local.set $corner (v128.load64_zero offset=28 (local.get $at)))
        (local.set $min (f32x4.pmin (local.get $min) (local.get $corner)))
        (local.set $max (f32x4.pmax (local.get $max) (local.get $corner)))
        (local.set $corner (v128.load64_zero offset=56 (local.get $at)))
        (local.set $min (f32x4.pmin (local.get $min) (local.get $corner)))
        (local.set $max (f32x4.pmax (local.get $max) (local.get $corner)))
        (local.set $corner (v128.load64_zero offset=84 (local.get $at)))
        (local.set $min (f32x4.pmin (local.get $min) (local.get $corner)))
        (local.set $max (f32x4.pmax (local.get $max) (local.get $corner)))
        (local.set $corner (v128.load64_zero offset=112 (local.get $at)))
        (local.set $min (f32x4.pmin (local.get $min) (local.get $corner)))
        (local.set $max (f32x4.pmax (local.get $max) (local.get $corner)))
        (local.set $corner (v128.load64_zero offset=140 (local.get $at)))
        (local.set $min (f32x4.pmin (local.get $min) (local.get $corner)))
        (local.set $max (f32x4.pmax (local.get $max) (local.get $corner)))
        ;; Written in any case; the place is kept when no lane says "elsewhere".
        (i32.store (local.get $next) (local.get $vertex))
        (local.set $next
          (i32.add
            (local.get $next)
            (i32.shl
              (i32.eqz
                (i32.and
                  (i32x4.bitmask
                    (v128.or
                      (f32x4.le (local.get $max) (local.get $low))
                      (f32x4.ge (local.get $min) (local.get $high))))
                  (i32.const 3)))
              (i32.const 2))))
        (local.set $at (i32.add (local.get $at) (i32.const 168)))
        (local.set $vertex (i32.add (local.get $vertex) (i32.const 6)))
        (br $more)))
    (i32.shr_u (i32.sub (local.get $next) (local.get $out)) (i32.const 2))))
