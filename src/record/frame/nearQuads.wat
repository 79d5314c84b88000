;; Looks through the vertices of a Phaser batch for what meets the ads, keeps a copy of it, and says how much quads cover of
;; an ad. This is what `NearQuads` does without WebAssembly, eight numbers at a time and in few instructions: code that runs
;; once a frame is always cold, and then every instruction has its price.
;; The machine code is in `nearQuadsModule.ts`; a test compiles this file and compares.
;;
;; Memory: the vertices of the pipeline, from 0; at $base, what `NearQuads` lays out in its constants:
;;   +0    where and how large the bins of `AdBins` are: minX twice, minY twice, then bins per pixel, f32
;;   +32   its masks: ads that begin before the end of a column, that end after its beginning, the same by rows; 32 i32 each
;;   +544  the rectangle around all ads: minX, minY, maxX, maxY, four f32
;;   +560  the ads that count, one bit each
;;   +564  ads touched by something that is other than in the last frame, one bit each
;;   +568  the area `cover` found, an f64
;;   +576  the byte of the batch at which `find` stopped
;;   +592  room for `cover`: quads of eight f64 in order around them and a box of four, then polygons
;;   +14400 near quads of 128 bytes, and behind them room for a list of the batch's quads
;; A near quad, the copy of a quad or triangle: the four corners as they stand in the batch, 28 bytes each; +112 which ads it
;; may touch, one bit each; +116 flags: 1 other than in the last frame, 2 a triangle, whose last corner stands twice; +120 its
;; first vertex in the batch.
(module
  (memory (import "game" "vertices") 1)
  (global $base (import "game" "base") i32)

  ;; Copies three vertices from $source and one from $last to $to, and notes whether they are other than what
  ;; stood there.
  (func $put (param $source i32) (param $last i32) (param $to i32) (param $ads i32) (param $kind i32) (param $vertex i32)
    (local $new v128) (local $other v128) (local $before i32)
    (local.set $other (v128.xor (v128.load (local.get $to)) (local.tee $new (v128.load (local.get $source)))))
    (v128.store (local.get $to) (local.get $new))
    (local.set $other (v128.or (local.get $other)
      (v128.xor (v128.load offset=16 (local.get $to)) (local.tee $new (v128.load offset=16 (local.get $source))))))
    (v128.store offset=16 (local.get $to) (local.get $new))
    (local.set $other (v128.or (local.get $other)
      (v128.xor (v128.load offset=32 (local.get $to)) (local.tee $new (v128.load offset=32 (local.get $source))))))
    (v128.store offset=32 (local.get $to) (local.get $new))
    (local.set $other (v128.or (local.get $other)
      (v128.xor (v128.load offset=48 (local.get $to)) (local.tee $new (v128.load offset=48 (local.get $source))))))
    (v128.store offset=48 (local.get $to) (local.get $new))
    (local.set $other (v128.or (local.get $other)
      (v128.xor (v128.load offset=64 (local.get $to)) (local.tee $new (v128.load offset=64 (local.get $source))))))
    (v128.store offset=64 (local.get $to) (local.get $new))
    (local.set $other (v128.or (local.get $other)
      (v128.xor (v128.load offset=68 (local.get $to)) (local.tee $new (v128.load offset=68 (local.get $source))))))
    (v128.store offset=68 (local.get $to) (local.get $new))
    (local.set $other (v128.or (local.get $other)
      (v128.xor (v128.load offset=84 (local.get $to)) (local.tee $new (v128.load (local.get $last))))))
    (v128.store offset=84 (local.get $to) (local.get $new))
    (local.set $other (v128.or (local.get $other)
      (v128.xor (v128.load offset=96 (local.get $to)) (local.tee $new (v128.load offset=12 (local.get $last))))))
    (v128.store offset=96 (local.get $to) (local.get $new))
    (local.set $before (i32.load offset=112 (local.get $to)))
    (if (i32.or
          (v128.any_true (local.get $other))
          (i32.or
            (i32.ne (local.get $before) (local.get $ads))
            (i32.ne (i32.and (i32.load offset=116 (local.get $to)) (i32.const 2)) (local.get $kind))))
      (then
        (local.set $kind (i32.or (local.get $kind) (i32.const 1)))
        (i32.store offset=564 (global.get $base)
          (i32.or (i32.load offset=564 (global.get $base)) (i32.or (local.get $before) (local.get $ads))))))
    (i32.store offset=112 (local.get $to) (local.get $ads))
    (i32.store offset=116 (local.get $to) (local.get $kind))
    (i32.store offset=120 (local.get $to) (local.get $vertex)))

  ;; The quad at byte $at of the batch is copied to $to.
  (func (export "keep") (param $at i32) (param $to i32) (param $ads i32) (param $vertex i32)
    (call $put
      (local.get $at) (i32.add (local.get $at) (i32.const 140)) (local.get $to) (local.get $ads) (i32.const 0)
      (local.get $vertex)))

  ;; Looks from byte $at to byte $end, two triangles at a time, for those whose box meets the rectangle. Writes the first byte
  ;; of each to $out, and returns where the next one would go. Of an odd number it looks at the pair behind the last one as well.
  (func $scan (param $at i32) (param $end i32) (param $out i32) (result i32)
    (local $low v128) (local $high v128) (local $corner v128) (local $min v128) (local $max v128) (local $lanes v128)
    (local $beside i32)
    (local.set $low (v128.load64_splat offset=544 (global.get $base)))
    (local.set $high (v128.load64_splat offset=552 (global.get $base)))
    (block $done
      (loop $more
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        ;; A vertex is 28 bytes, x and y first: in the lower half one of the first pair of triangles, in the upper one of the next.
        (local.set $corner
          (v128.load64_lane offset=168 1 (local.get $at) (v128.load64_zero (local.get $at))))
        (local.set $min (local.get $corner))
        (local.set $max (local.get $corner))
        (local.set $corner
          (v128.load64_lane offset=196 1 (local.get $at) (v128.load64_zero offset=28 (local.get $at))))
        (local.set $min (f32x4.pmin (local.get $min) (local.get $corner)))
        (local.set $max (f32x4.pmax (local.get $max) (local.get $corner)))
        (local.set $corner
          (v128.load64_lane offset=224 1 (local.get $at) (v128.load64_zero offset=56 (local.get $at))))
        (local.set $min (f32x4.pmin (local.get $min) (local.get $corner)))
        (local.set $max (f32x4.pmax (local.get $max) (local.get $corner)))
        (local.set $corner
          (v128.load64_lane offset=252 1 (local.get $at) (v128.load64_zero offset=84 (local.get $at))))
        (local.set $min (f32x4.pmin (local.get $min) (local.get $corner)))
        (local.set $max (f32x4.pmax (local.get $max) (local.get $corner)))
        (local.set $corner
          (v128.load64_lane offset=280 1 (local.get $at) (v128.load64_zero offset=112 (local.get $at))))
        (local.set $min (f32x4.pmin (local.get $min) (local.get $corner)))
        (local.set $max (f32x4.pmax (local.get $max) (local.get $corner)))
        (local.set $corner
          (v128.load64_lane offset=308 1 (local.get $at) (v128.load64_zero offset=140 (local.get $at))))
        (local.set $min (f32x4.pmin (local.get $min) (local.get $corner)))
        (local.set $max (f32x4.pmax (local.get $max) (local.get $corner)))
        (local.set $lanes
          (v128.or
            (f32x4.le (local.get $max) (local.get $low))
            (f32x4.ge (local.get $min) (local.get $high))))
        ;; Mostly both are elsewhere, in one way or the other.
        (if (i32.eqz (i64x2.all_true (local.get $lanes)))
          (then
            (local.set $beside (i32x4.bitmask (local.get $lanes)))
            ;; Both are written, without a branch that could be foreseen badly; the place is kept when no lane says
            ;; "elsewhere". Of the pair behind the last one only the first counts.
            (i32.store (local.get $out) (local.get $at))
            (local.set $out
              (i32.add (local.get $out)
                (i32.shl (i32.eqz (i32.and (local.get $beside) (i32.const 3))) (i32.const 2))))
            (i32.store (local.get $out) (i32.add (local.get $at) (i32.const 168)))
            (local.set $out
              (i32.add (local.get $out)
                (i32.shl
                  (i32.eqz
                    (i32.or
                      (i32.and (local.get $beside) (i32.const 12))
                      (i32.ge_u (i32.add (local.get $at) (i32.const 168)) (local.get $end))))
                  (i32.const 2))))))
        (local.set $at (i32.add (local.get $at) (i32.const 336)))
        (br $more)))
    (local.get $out))

  ;; Those of the ads that count that a box may touch: x and y of its lower and of its higher corner.
  (func $adsIn (param $min v128) (param $max v128) (result i32)
    (local $bins v128)
    ;; The bins of maxX, minX, maxY and minY, as bytes of their masks: beyond the area the outermost ones, for not-a-number the
    ;; first.
    (local.set $bins
      (i32x4.add
        (i32x4.splat (global.get $base))
        (i32x4.shl
          (i32x4.max_s
            (i32x4.trunc_sat_f32x4_s
              (f32x4.pmin
                (f32x4.mul
                  (f32x4.sub
                    (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $max) (local.get $min))
                    (v128.load (global.get $base)))
                  (v128.load offset=16 (global.get $base)))
                (v128.const f32x4 31 31 31 31)))
            (v128.const i32x4 0 0 0 0))
          (i32.const 2))))
    (i32.and
      (i32.load offset=560 (global.get $base))
      (i32.and
        (i32.and
          (i32.load offset=32 (i32x4.extract_lane 0 (local.get $bins)))
          (i32.load offset=160 (i32x4.extract_lane 1 (local.get $bins))))
        (i32.and
          (i32.load offset=288 (i32x4.extract_lane 2 (local.get $bins)))
          (i32.load offset=416 (i32x4.extract_lane 3 (local.get $bins)))))))

  ;; Those of the ads that count that the box of six vertices may touch.
  (func $adsAt (param $at i32) (result i32)
    (local $corner v128) (local $min v128) (local $max v128)
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
    (call $adsIn (local.get $min) (local.get $max)))

  ;; Looks from byte $at to byte $end, two triangles at a time. What may touch an ad is copied, from $to on, as long as
  ;; copies begin at or before $limit. Returns where the next one would begin.
  (func (export "find")
    (param $at i32) (param $end i32) (param $to i32) (param $limit i32) (param $list i32)
    (result i32)
    (local $listEnd i32) (local $ads i32) (local $vertex i32)
    (local.set $listEnd
      (call $scan (local.get $at) (local.get $end) (local.get $list)))
    (block $done
      (loop $more
        (br_if $done (i32.ge_u (local.get $list) (local.get $listEnd)))
        (local.set $at (i32.load (local.get $list)))
        (local.set $list (i32.add (local.get $list) (i32.const 4)))
        (br_if $more (i32.eqz (local.tee $ads (call $adsAt (local.get $at)))))
        (if (i32.gt_u (local.get $to) (local.get $limit))
          (then
            (i32.store offset=576 (global.get $base) (local.get $at))
            (return (local.get $to))))
        (local.set $vertex (i32.div_u (local.get $at) (i32.const 28)))
        ;; A quad when the second triangle has two corners of the first.
        (if (i32.and
              (i64.eq (i64.load (local.get $at)) (i64.load offset=84 (local.get $at)))
              (i64.eq (i64.load offset=56 (local.get $at)) (i64.load offset=112 (local.get $at))))
          (then
            (call $put
              (local.get $at) (i32.add (local.get $at) (i32.const 140))
              (local.get $to) (local.get $ads) (i32.const 0) (local.get $vertex)))
          (else
            (call $put
              (local.get $at) (i32.add (local.get $at) (i32.const 56))
              (local.get $to) (local.get $ads) (i32.const 2) (local.get $vertex))
            (local.set $to (i32.add (local.get $to) (i32.const 128)))
            (call $put
              (i32.add (local.get $at) (i32.const 84)) (i32.add (local.get $at) (i32.const 140))
              (local.get $to) (local.get $ads) (i32.const 2) (i32.add (local.get $vertex) (i32.const 3)))))
        (local.set $to (i32.add (local.get $to) (i32.const 128)))
        (br $more)))
    (i32.store offset=576 (global.get $base) (local.get $end))
    (local.get $to))

  ;; --- batches of four vertices a quad ---

  ;; Those of the ads that count that the box of four vertices may touch. Numbers that are none are no part of it.
  (func $adsOfFour (param $at i32) (result i32)
    (local $corner v128) (local $min v128) (local $max v128)
    (local.set $corner (v128.load64_zero (local.get $at)))
    (local.set $min (f32x4.pmin (v128.const f32x4 inf inf inf inf) (local.get $corner)))
    (local.set $max (f32x4.pmax (v128.const f32x4 -inf -inf -inf -inf) (local.get $corner)))
    (local.set $corner (v128.load64_zero offset=28 (local.get $at)))
    (local.set $min (f32x4.pmin (local.get $min) (local.get $corner)))
    (local.set $max (f32x4.pmax (local.get $max) (local.get $corner)))
    (local.set $corner (v128.load64_zero offset=56 (local.get $at)))
    (local.set $min (f32x4.pmin (local.get $min) (local.get $corner)))
    (local.set $max (f32x4.pmax (local.get $max) (local.get $corner)))
    (local.set $corner (v128.load64_zero offset=84 (local.get $at)))
    (call $adsIn
      (f32x4.pmin (local.get $min) (local.get $corner))
      (f32x4.pmax (local.get $max) (local.get $corner))))

  ;; The byte of the first quad from $at on, before $end, whose box may touch an ad; $end when there is none.
  (func (export "next") (param $at i32) (param $end i32) (result i32)
    (local $low v128) (local $high v128) (local $corner v128) (local $under v128) (local $over v128)
    (local $beside i32)
    (local.set $low (v128.load64_splat offset=544 (global.get $base)))
    (local.set $high (v128.load64_splat offset=552 (global.get $base)))
    (block $done
      (loop $more
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        ;; In the lower half a corner of one quad, in the upper half one of the next.
        (local.set $corner
          (v128.load64_lane offset=112 1 (local.get $at) (v128.load64_zero (local.get $at))))
        (local.set $under (f32x4.le (local.get $corner) (local.get $low)))
        (local.set $over (f32x4.ge (local.get $corner) (local.get $high)))
        (local.set $corner
          (v128.load64_lane offset=140 1 (local.get $at) (v128.load64_zero offset=28 (local.get $at))))
        (local.set $under (v128.and (local.get $under) (f32x4.le (local.get $corner) (local.get $low))))
        (local.set $over (v128.and (local.get $over) (f32x4.ge (local.get $corner) (local.get $high))))
        (local.set $corner
          (v128.load64_lane offset=168 1 (local.get $at) (v128.load64_zero offset=56 (local.get $at))))
        (local.set $under (v128.and (local.get $under) (f32x4.le (local.get $corner) (local.get $low))))
        (local.set $over (v128.and (local.get $over) (f32x4.ge (local.get $corner) (local.get $high))))
        (local.set $corner
          (v128.load64_lane offset=196 1 (local.get $at) (v128.load64_zero offset=84 (local.get $at))))
        (local.set $under (v128.and (local.get $under) (f32x4.le (local.get $corner) (local.get $low))))
        (local.set $over (v128.and (local.get $over) (f32x4.ge (local.get $corner) (local.get $high))))
        (local.set $corner (v128.or (local.get $under) (local.get $over)))
        ;; Mostly both are elsewhere, in one way or the other.
        (if (i32.eqz (i64x2.all_true (local.get $corner)))
          (then
            (local.set $beside (i32x4.bitmask (local.get $corner)))
            (if (i32.eqz (i32.and (local.get $beside) (i32.const 3)))
              (then (if (call $adsOfFour (local.get $at)) (then (return (local.get $at))))))
            ;; What lies at $end ends the search as well.
            (local.set $at (i32.add (local.get $at) (i32.const 112)))
            (if (i32.eqz (i32.and (local.get $beside) (i32.const 12)))
              (then (if (call $adsOfFour (local.get $at)) (then (return (local.get $at))))))
            (local.set $at (i32.add (local.get $at) (i32.const 112)))
            (br $more)))
        (local.set $at (i32.add (local.get $at) (i32.const 224)))
        (br $more)))
    (local.get $end))

  ;; --- how much of an ad is covered ---

  ;; Polygons are cut in two buffers of 640 bytes a level: 40 vertices, as many as nine quads on top of each other make.
  (global $cuts (mut i32) (i32.const 0))

  ;; Twice the area of a polygon of $length vertices, positive when it turns from +x to +y.
  (func $twice (param $at i32) (param $length i32) (result f64)
    (local $ox f64) (local $oy f64) (local $ux f64) (local $uy f64) (local $vx f64) (local $vy f64) (local $sum f64)
    (local $end i32)
    (local.set $ox (f64.load (local.get $at)))
    (local.set $oy (f64.load offset=8 (local.get $at)))
    (local.set $ux (f64.sub (f64.load offset=16 (local.get $at)) (local.get $ox)))
    (local.set $uy (f64.sub (f64.load offset=24 (local.get $at)) (local.get $oy)))
    (local.set $end (i32.add (local.get $at) (i32.shl (i32.sub (local.get $length) (i32.const 2)) (i32.const 4))))
    (loop $more
      (local.set $vx (f64.sub (f64.load offset=32 (local.get $at)) (local.get $ox)))
      (local.set $vy (f64.sub (f64.load offset=40 (local.get $at)) (local.get $oy)))
      (local.set $sum
        (f64.add (local.get $sum)
          (f64.sub
            (f64.mul (local.get $ux) (local.get $vy))
            (f64.mul (local.get $vx) (local.get $uy)))))
      (local.set $ux (local.get $vx))
      (local.set $uy (local.get $vy))
      (br_if $more (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end))))
    (local.get $sum))

  ;; Sutherland–Hodgman: what lies on the inner side of the edge from ($ax, $ay) to ($bx, $by), of a polygon that turns from
  ;; +x to +y, is written to $to. Returns its number of vertices.
  (func $cut
    (param $from i32) (param $length i32) (param $ax f64) (param $ay f64) (param $bx f64) (param $by f64) (param $to i32)
    (result i32)
    (local $end i32) (local $start i32) (local $t f64)
    (local $xi f64) (local $yi f64) (local $di f64) (local $xj f64) (local $yj f64) (local $dj f64)
    (local.set $bx (f64.sub (local.get $bx) (local.get $ax)))
    (local.set $by (f64.sub (local.get $by) (local.get $ay)))
    (local.set $start (local.get $to))
    (local.set $end (i32.add (local.get $from) (i32.shl (local.get $length) (i32.const 4))))
    (local.set $xi (f64.load (i32.sub (local.get $end) (i32.const 16))))
    (local.set $yi (f64.load (i32.sub (local.get $end) (i32.const 8))))
    (local.set $di
      (f64.sub
        (f64.mul (local.get $bx) (f64.sub (local.get $yi) (local.get $ay)))
        (f64.mul (local.get $by) (f64.sub (local.get $xi) (local.get $ax)))))
    (loop $more
      (local.set $xj (f64.load (local.get $from)))
      (local.set $yj (f64.load offset=8 (local.get $from)))
      (local.set $dj
        (f64.sub
          (f64.mul (local.get $bx) (f64.sub (local.get $yj) (local.get $ay)))
          (f64.mul (local.get $by) (f64.sub (local.get $xj) (local.get $ax)))))
      (if (i32.or
            (i32.and (f64.gt (local.get $di) (f64.const 0)) (f64.lt (local.get $dj) (f64.const 0)))
            (i32.and (f64.lt (local.get $di) (f64.const 0)) (f64.gt (local.get $dj) (f64.const 0))))
        (then
          (local.set $t (f64.div (local.get $di) (f64.sub (local.get $di) (local.get $dj))))
          (f64.store (local.get $to)
            (f64.add (local.get $xi) (f64.mul (local.get $t) (f64.sub (local.get $xj) (local.get $xi)))))
          (f64.store offset=8 (local.get $to)
            (f64.add (local.get $yi) (f64.mul (local.get $t) (f64.sub (local.get $yj) (local.get $yi)))))
          (local.set $to (i32.add (local.get $to) (i32.const 16)))))
      (if (f64.ge (local.get $dj) (f64.const 0))
        (then
          (f64.store (local.get $to) (local.get $xj))
          (f64.store offset=8 (local.get $to) (local.get $yj))
          (local.set $to (i32.add (local.get $to) (i32.const 16)))))
      (local.set $xi (local.get $xj))
      (local.set $yi (local.get $yj))
      (local.set $di (local.get $dj))
      (br_if $more (i32.lt_u (local.tee $from (i32.add (local.get $from) (i32.const 16))) (local.get $end))))
    (i32.shr_u (i32.sub (local.get $to) (local.get $start)) (i32.const 4)))

  ;; What of a polygon lies in the quad $quad; the result is in the second buffer at $to, 640 bytes on.
  (func $clip (param $from i32) (param $length i32) (param $quad i32) (param $to i32) (result i32)
    (local $x0 f64) (local $y0 f64) (local $x1 f64) (local $y1 f64) (local $x2 f64) (local $y2 f64)
    (local $x3 f64) (local $y3 f64) (local $second i32)
    (local.set $x0 (f64.load (local.get $quad)))
    (local.set $y0 (f64.load offset=8 (local.get $quad)))
    (local.set $x1 (f64.load offset=16 (local.get $quad)))
    (local.set $y1 (f64.load offset=24 (local.get $quad)))
    (local.set $x2 (f64.load offset=32 (local.get $quad)))
    (local.set $y2 (f64.load offset=40 (local.get $quad)))
    (local.set $x3 (f64.load offset=48 (local.get $quad)))
    (local.set $y3 (f64.load offset=56 (local.get $quad)))
    (local.set $second (i32.add (local.get $to) (i32.const 640)))
    (local.set $length (call $cut (local.get $from) (local.get $length)
      (local.get $x0) (local.get $y0) (local.get $x1) (local.get $y1) (local.get $to)))
    (if (i32.lt_u (local.get $length) (i32.const 3)) (then (return (i32.const 0))))
    (local.set $length (call $cut (local.get $to) (local.get $length)
      (local.get $x1) (local.get $y1) (local.get $x2) (local.get $y2) (local.get $second)))
    (if (i32.lt_u (local.get $length) (i32.const 3)) (then (return (i32.const 0))))
    (local.set $length (call $cut (local.get $second) (local.get $length)
      (local.get $x2) (local.get $y2) (local.get $x3) (local.get $y3) (local.get $to)))
    (if (i32.lt_u (local.get $length) (i32.const 3)) (then (return (i32.const 0))))
    (local.set $length (call $cut (local.get $to) (local.get $length)
      (local.get $x3) (local.get $y3) (local.get $x0) (local.get $y0) (local.get $second)))
    (if (result i32) (i32.lt_u (local.get $length) (i32.const 3)) (then (i32.const 0)) (else (local.get $length))))

  ;; Twice the area of a convex polygon within the quad $within that the quads before $end cover together: what each covers,
  ;; less what those before it cover of that.
  (func $part
    (param $from i32) (param $length i32) (param $within i32) (param $end i32) (param $to i32)
    (result f64)
    (local $quad i32) (local $kept i32) (local $sum f64)
    (local.set $quad (i32.add (global.get $base) (i32.const 688)))
    (block $done
      (loop $more
        (br_if $done (i32.ge_u (local.get $quad) (local.get $end)))
        (block $apart
          (br_if $apart (f64.ge (f64.load offset=64 (local.get $quad)) (f64.load offset=80 (local.get $within))))
          (br_if $apart (f64.le (f64.load offset=80 (local.get $quad)) (f64.load offset=64 (local.get $within))))
          (br_if $apart (f64.ge (f64.load offset=72 (local.get $quad)) (f64.load offset=88 (local.get $within))))
          (br_if $apart (f64.le (f64.load offset=88 (local.get $quad)) (f64.load offset=72 (local.get $within))))
          ;; Too many on top of each other: no number.
          (global.set $cuts (i32.add (global.get $cuts) (i32.const 1)))
          (if (i32.or
                (i32.gt_u (global.get $cuts) (i32.const 200))
                (i32.gt_u (local.get $to) (i32.add (global.get $base) (i32.const 13088))))
            (then (return (f64.const nan))))
          (local.set $kept
            (call $clip (local.get $from) (local.get $length) (local.get $quad) (local.get $to)))
          (br_if $apart (i32.eqz (local.get $kept)))
          (local.set $sum (f64.add (local.get $sum)
            (call $twice (i32.add (local.get $to) (i32.const 640)) (local.get $kept))))
          (local.set $sum (f64.sub (local.get $sum)
            (call $part
              (i32.add (local.get $to) (i32.const 640)) (local.get $kept) (local.get $quad) (local.get $quad)
              (i32.add (local.get $to) (i32.const 1280))))))
        (local.set $quad (i32.add (local.get $quad) (i32.const 96)))
        (br $more)))
    (local.get $sum))

  ;; Copies the corners of a quad to $to, so that they turn from +x to +y, and their box behind them. Returns twice the
  ;; area; no number when the quad is not convex.
  (func $take (param $quad i32) (param $to i32) (result f64)
    (local $x0 f64) (local $y0 f64) (local $x1 f64) (local $y1 f64) (local $x2 f64) (local $y2 f64)
    (local $x3 f64) (local $y3 f64) (local $turn f64) (local $twice f64)
    (local.set $x0 (f64.promote_f32 (f32.load (local.get $quad))))
    (local.set $y0 (f64.promote_f32 (f32.load offset=4 (local.get $quad))))
    (local.set $x1 (f64.promote_f32 (f32.load offset=28 (local.get $quad))))
    (local.set $y1 (f64.promote_f32 (f32.load offset=32 (local.get $quad))))
    (local.set $x2 (f64.promote_f32 (f32.load offset=56 (local.get $quad))))
    (local.set $y2 (f64.promote_f32 (f32.load offset=60 (local.get $quad))))
    (local.set $x3 (f64.promote_f32 (f32.load offset=84 (local.get $quad))))
    (local.set $y3 (f64.promote_f32 (f32.load offset=88 (local.get $quad))))
    ;; Twice the area is the cross product of the diagonals.
    (local.set $twice
      (f64.sub
        (f64.mul (f64.sub (local.get $x2) (local.get $x0)) (f64.sub (local.get $y3) (local.get $y1)))
        (f64.mul (f64.sub (local.get $y2) (local.get $y0)) (f64.sub (local.get $x3) (local.get $x1)))))
    (if (f64.lt (local.get $twice) (f64.const 0))
      (then
        (local.set $twice (f64.neg (local.get $twice)))
        (local.set $turn (local.get $x1))
        (local.set $x1 (local.get $x3))
        (local.set $x3 (local.get $turn))
        (local.set $turn (local.get $y1))
        (local.set $y1 (local.get $y3))
        (local.set $y3 (local.get $turn))))
    (f64.store (local.get $to) (local.get $x0))
    (f64.store offset=8 (local.get $to) (local.get $y0))
    (f64.store offset=16 (local.get $to) (local.get $x1))
    (f64.store offset=24 (local.get $to) (local.get $y1))
    (f64.store offset=32 (local.get $to) (local.get $x2))
    (f64.store offset=40 (local.get $to) (local.get $y2))
    (f64.store offset=48 (local.get $to) (local.get $x3))
    (f64.store offset=56 (local.get $to) (local.get $y3))
    (f64.store offset=64 (local.get $to)
      (f64.min (f64.min (local.get $x0) (local.get $x1)) (f64.min (local.get $x2) (local.get $x3))))
    (f64.store offset=72 (local.get $to)
      (f64.min (f64.min (local.get $y0) (local.get $y1)) (f64.min (local.get $y2) (local.get $y3))))
    (f64.store offset=80 (local.get $to)
      (f64.max (f64.max (local.get $x0) (local.get $x1)) (f64.max (local.get $x2) (local.get $x3))))
    (f64.store offset=88 (local.get $to)
      (f64.max (f64.max (local.get $y0) (local.get $y1)) (f64.max (local.get $y2) (local.get $y3))))
    ;; Each corner must turn the same way.
    (if (i32.and
          (i32.and
            (f64.ge (call $turn (local.get $x0) (local.get $y0) (local.get $x1) (local.get $y1)
              (local.get $x2) (local.get $y2)) (f64.const 0))
            (f64.ge (call $turn (local.get $x1) (local.get $y1) (local.get $x2) (local.get $y2)
              (local.get $x3) (local.get $y3)) (f64.const 0)))
          (i32.and
            (f64.ge (call $turn (local.get $x2) (local.get $y2) (local.get $x3) (local.get $y3)
              (local.get $x0) (local.get $y0)) (f64.const 0))
            (f64.ge (call $turn (local.get $x3) (local.get $y3) (local.get $x0) (local.get $y0)
              (local.get $x1) (local.get $y1)) (f64.const 0))))
      (then (return (local.get $twice))))
    (f64.const nan))

  ;; Positive when the way from a over b to c turns from +x to +y.
  (func $turn
    (param $ax f64) (param $ay f64) (param $bx f64) (param $by f64) (param $cx f64) (param $cy f64) (result f64)
    (f64.sub
      (f64.mul (f64.sub (local.get $bx) (local.get $ax)) (f64.sub (local.get $cy) (local.get $by)))
      (f64.mul (f64.sub (local.get $by) (local.get $ay)) (f64.sub (local.get $cx) (local.get $bx)))))

  ;; Notes the area that the quads from $from up to $end, as far as they may touch the ads $ads, cover of the quad of the
  ;; quad $ad. No number when they are too many or one of them is not convex; then it is for others to say.
  (func (export "cover") (param $ad i32) (param $from i32) (param $end i32) (param $ads i32)
    (f64.store offset=568 (global.get $base)
      (call $covered (local.get $ad) (local.get $from) (local.get $end) (local.get $ads))))

  (func $covered (param $ad i32) (param $from i32) (param $end i32) (param $ads i32) (result f64)
    (local $subject i32) (local $quad i32) (local $area f64)
    (local.set $subject (i32.add (global.get $base) (i32.const 592)))
    (local.set $quad (i32.add (global.get $base) (i32.const 688)))
    (local.set $area (call $take (local.get $ad) (local.get $subject)))
    (if (i32.eqz (f64.gt (local.get $area) (f64.const 0))) (then (return (f64.const nan))))
    (block $done
      (loop $more
        (br_if $done (i32.ge_u (local.get $from) (local.get $end)))
        (block $next
          (br_if $next (i32.eqz (i32.and (i32.load offset=112 (local.get $from)) (local.get $ads))))
          ;; 32 quads, and room for their polygons.
          (br_if $done (i32.ge_u (local.get $quad) (i32.add (global.get $base) (i32.const 3760))))
          (local.set $area (call $take (local.get $from) (local.get $quad)))
          (if (i32.eqz (f64.ge (local.get $area) (f64.const 0))) (then (return (f64.const nan))))
          (br_if $next (f64.ge (f64.load offset=64 (local.get $quad)) (f64.load offset=80 (local.get $subject))))
          (br_if $next (f64.le (f64.load offset=80 (local.get $quad)) (f64.load offset=64 (local.get $subject))))
          (br_if $next (f64.ge (f64.load offset=72 (local.get $quad)) (f64.load offset=88 (local.get $subject))))
          (br_if $next (f64.le (f64.load offset=88 (local.get $quad)) (f64.load offset=72 (local.get $subject))))
          (if (f64.gt (local.get $area) (f64.const 0))
            (then (local.set $quad (i32.add (local.get $quad) (i32.const 96))))))
        (local.set $from (i32.add (local.get $from) (i32.const 128)))
        (br $more)))
    (if (i32.lt_u (local.get $from) (local.get $end)) (then (return (f64.const nan))))
    (global.set $cuts (i32.const 0))
    (f64.mul (f64.const 0.5)
      (call $part
        (local.get $subject) (i32.const 4) (local.get $subject) (local.get $quad)
        (i32.add (global.get $base) (i32.const 3856))))))
