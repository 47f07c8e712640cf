.class public LS;
.super Ljava/lang/Object;
.source "S.smali"

.method public static s0(LCtx;III)I
    .registers 18
    move-object/from16 v7, p0
    invoke-virtual {v7}, LCtx;->out()Z
    move-result v1
    move/from16 v8, p1
    if-nez v1, :over
    if-gtz v8, :start
    :over
    move/from16 v1, p2
    return v1
    :start
    const/16 v0, 8
    move/from16 v1, p2
    move/from16 v2, p3
    const/4 v3, 0x5
    const/4 v4, -0x3
    const-wide/16 v5, 0x7
    const/16 v9, 8
    const/16 v10, -138
    const/16 v11, 260
    const/16 v12, -4
    const/16 v13, -258
    :b0
    :b1
    and-int/lit8 v8, v3, 3
    div-int v1, v1, v8
    sub-int v4, v11, v3
    :b2
    if-lez v2, :b16
    :b3
    :t1_start
    const v2, 1363770989
    move/16 v13, v3
    if-eq v4, v3, :b14
    :b4
    int-to-long v5, v2
    mul-long/2addr v5, v5
    long-to-int v2, v5
    int-to-long v5, v4
    mul-long/2addr v5, v5
    long-to-int v2, v5
    rem-int/lit16 v3, v2, 1584
    rem-int/lit16 v3, v4, 1997
    goto/16 :b8
    :b5
    or-int v2, v2, v2
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v3, 15
    aget v3, v7, v8
    xor-int v1, v3, v3
    if-gt v3, v2, :b14
    :b6
    if-eq v3, v1, :b17
    :b7
    rem-int/lit16 v3, v4, 1722
    if-eq v1, v3, :b16
    :b8
    move-object/from16 v7, p0
    invoke-virtual {v7, v3}, LCtx;->mix(I)I
    const v2, -1677621088
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v1, v3}, LU1;->m0(LCtx;III)I
    move-result v3
    rem-int/lit16 v3, v1, 1337
    if-ge v1, v4, :b9
    :b9
    return v2
    :b10
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v1, v7, LA0;->f:I
    xor-int v3, v13, v1
    and-int v13, v1, v3
    move/16 v10, v10
    if-ge v2, v2, :b14
    :b11
    move/16 v9, v4
    and-int/lit16 v8, v4, 0x3ff
    sparse-switch v8, :sparse1
    :b12
    :t0_start
    ushr-int v1, v10, v1
    xor-int/2addr v1, v2
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v2, v7, LA0;->f:I
    if-gez v9, :fuel4
    :b13
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static/range {v7 .. v10}, LS;->s2(LCtx;III)I
    move-result v11
    if-gez v10, :fuel5
    :b14
    xor-int/2addr v1, v2
    move-object/from16 v7, p0
    invoke-virtual {v7, v3}, LCtx;->mix(I)I
    add-int/2addr v3, v3
    rem-int/lit16 v3, v1, 1797
    if-lez v9, :fuel6
    :b15
    int-to-long v5, v1
    mul-long/2addr v5, v5
    long-to-int v4, v5
    move/16 v13, v10
    if-ltz v2, :fuel7
    nop
    :t0_end
    :b16
    and-int/lit8 v3, v13, -63
    move-object/from16 v7, p0
    invoke-virtual {v7, v2}, LCtx;->mix(I)I
    move-result v4
    shl-int v2, v1, v2
    mul-int/lit8 v11, v2, -128
    if-ltz v9, :fuel8
    nop
    :t1_end
    :b17
    move-object/from16 v7, p0
    invoke-virtual {v7, v4}, LCtx;->mix(I)I
    move-result v2
    sub-int v1, v13, v1
    goto/32 :fuel9
    goto/32 :exit
    .catch LE0; {:t0_start .. :t0_end} :fuel10
    .catch Ljava/lang/RuntimeException; {:t1_start .. :t1_end} :handler12
    .catchall {:t1_start .. :t1_end} :fuel13
    :fuel2
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b7
    :fuel3
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b11
    :fuel4
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :fuel5
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b8
    :fuel6
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b3
    :fuel7
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b6
    :fuel8
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel9
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b15
    :fuel10
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b15
    :fuel11
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b16
    :handler12
    move-exception v7
    goto/32 :fuel11
    :fuel13
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b10
    :exit
    return v1
    :sparse1
    .sparse-switch
        -31 -> :b15
        -11 -> :b16
        -2 -> :b15
        21 -> :b16
        75 -> :b16
        161 -> :b15
        341 -> :b15
        369 -> :fuel3
        402 -> :fuel2
        453 -> :fuel3
        456 -> :b16
        497 -> :fuel2
        513 -> :fuel3
        553 -> :fuel3
        573 -> :fuel3
        578 -> :fuel2
        592 -> :fuel3
        604 -> :b16
        630 -> :b16
        653 -> :b15
        670 -> :fuel2
        696 -> :b15
        774 -> :b15
        872 -> :b16
        898 -> :fuel2
        947 -> :fuel3
        964 -> :b16
        994 -> :fuel2
        1055 -> :b16
        1099 -> :fuel3
    .end sparse-switch
.end method

.method public static s1(LCtx;III)I
    .registers 271
    move-object/from16 v7, p0
    invoke-virtual {v7}, LCtx;->out()Z
    move-result v1
    move/from16 v8, p1
    if-nez v1, :over
    if-gtz v8, :start
    :over
    move/from16 v1, p2
    return v1
    :start
    const/16 v0, 20
    move/from16 v1, p2
    move/from16 v2, p3
    const/4 v3, 0x5
    const/4 v4, -0x3
    const-wide/16 v5, 0x7
    const/16 v9, 292
    const/16 v10, 267
    const/16 v11, -63
    const/16 v12, -196
    const/16 v13, 249
    const/16 v14, 187
    const/16 v15, -22
    const/16 v16, 19
    const/16 v17, -286
    const/16 v18, -209
    const/16 v19, 178
    const/16 v20, 59
    const/16 v21, 153
    const/16 v22, -78
    const/16 v23, -300
    const/16 v24, 278
    const/16 v25, -186
    const/16 v26, 185
    const/16 v27, 215
    const/16 v28, 267
    const/16 v29, -41
    const/16 v30, -88
    const/16 v31, -105
    const/16 v32, 199
    const/16 v33, -227
    const/16 v34, 25
    const/16 v35, 159
    const/16 v36, -295
    const/16 v37, 32
    const/16 v38, -202
    const/16 v39, -276
    const/16 v40, -242
    const/16 v41, 63
    const/16 v42, 46
    const/16 v43, -124
    const/16 v44, -114
    const/16 v45, -151
    const/16 v46, -205
    const/16 v47, -141
    const/16 v48, 84
    const/16 v49, 265
    const/16 v50, -239
    const/16 v51, -236
    const/16 v52, -46
    const/16 v53, -135
    const/16 v54, -155
    const/16 v55, -89
    const/16 v56, -181
    const/16 v57, -294
    const/16 v58, -12
    const/16 v59, -123
    const/16 v60, 169
    const/16 v61, 125
    const/16 v62, -251
    const/16 v63, -72
    const/16 v64, -131
    const/16 v65, 250
    const/16 v66, -1
    const/16 v67, 157
    const/16 v68, -104
    const/16 v69, 257
    const/16 v70, 285
    const/16 v71, 265
    const/16 v72, -250
    const/16 v73, -98
    const/16 v74, -268
    const/16 v75, -243
    const/16 v76, 278
    const/16 v77, 166
    const/16 v78, 25
    const/16 v79, 173
    const/16 v80, 36
    const/16 v81, 164
    const/16 v82, -69
    const/16 v83, -147
    const/16 v84, -24
    const/16 v85, 156
    const/16 v86, 128
    const/16 v87, 234
    const/16 v88, 107
    const/16 v89, -2
    const/16 v90, 154
    const/16 v91, -67
    const/16 v92, 170
    const/16 v93, 209
    const/16 v94, 171
    const/16 v95, 191
    const/16 v96, 206
    const/16 v97, -45
    const/16 v98, 145
    const/16 v99, 39
    const/16 v100, 209
    const/16 v101, -259
    const/16 v102, 38
    const/16 v103, 258
    const/16 v104, -213
    const/16 v105, -258
    const/16 v106, 75
    const/16 v107, -228
    const/16 v108, 148
    const/16 v109, 183
    const/16 v110, 57
    const/16 v111, -64
    const/16 v112, 123
    const/16 v113, 36
    const/16 v114, 281
    const/16 v115, 229
    const/16 v116, 79
    const/16 v117, 86
    const/16 v118, 36
    const/16 v119, 62
    const/16 v120, -66
    const/16 v121, 61
    const/16 v122, 129
    const/16 v123, 270
    const/16 v124, -263
    const/16 v125, 123
    const/16 v126, -77
    const/16 v127, -172
    const/16 v128, -150
    const/16 v129, 141
    const/16 v130, 101
    const/16 v131, -178
    const/16 v132, -89
    const/16 v133, -23
    const/16 v134, -111
    const/16 v135, 127
    const/16 v136, 158
    const/16 v137, 283
    const/16 v138, 284
    const/16 v139, 270
    const/16 v140, -244
    const/16 v141, -246
    const/16 v142, 211
    const/16 v143, -252
    const/16 v144, 167
    const/16 v145, -79
    const/16 v146, 298
    const/16 v147, 39
    const/16 v148, -158
    const/16 v149, 182
    const/16 v150, -59
    const/16 v151, 19
    const/16 v152, 266
    const/16 v153, 285
    const/16 v154, -75
    const/16 v155, -240
    const/16 v156, 124
    const/16 v157, 86
    const/16 v158, -99
    const/16 v159, 4
    const/16 v160, 130
    const/16 v161, -68
    const/16 v162, 299
    const/16 v163, -87
    const/16 v164, -161
    const/16 v165, -21
    const/16 v166, -90
    const/16 v167, -198
    const/16 v168, 207
    const/16 v169, 177
    const/16 v170, -10
    const/16 v171, -246
    const/16 v172, -94
    const/16 v173, -269
    const/16 v174, 170
    const/16 v175, -141
    const/16 v176, -209
    const/16 v177, 186
    const/16 v178, -39
    const/16 v179, 283
    const/16 v180, 143
    const/16 v181, 87
    const/16 v182, 81
    const/16 v183, -5
    const/16 v184, -191
    const/16 v185, 72
    const/16 v186, -47
    const/16 v187, -49
    const/16 v188, -222
    const/16 v189, -282
    const/16 v190, 291
    const/16 v191, 126
    const/16 v192, -223
    const/16 v193, 18
    const/16 v194, -143
    const/16 v195, 274
    const/16 v196, -217
    const/16 v197, 267
    const/16 v198, 91
    const/16 v199, -252
    const/16 v200, 276
    const/16 v201, -92
    const/16 v202, 198
    const/16 v203, -110
    const/16 v204, 251
    const/16 v205, -257
    const/16 v206, 24
    const/16 v207, 81
    const/16 v208, -69
    const/16 v209, 269
    const/16 v210, -294
    const/16 v211, -83
    const/16 v212, -23
    const/16 v213, -240
    const/16 v214, 285
    const/16 v215, 68
    const/16 v216, 271
    const/16 v217, 181
    const/16 v218, 251
    const/16 v219, -239
    const/16 v220, -166
    const/16 v221, -118
    const/16 v222, 111
    const/16 v223, -248
    const/16 v224, 129
    const/16 v225, 243
    const/16 v226, 145
    const/16 v227, -15
    const/16 v228, 263
    const/16 v229, -40
    const/16 v230, -39
    const/16 v231, 143
    const/16 v232, 297
    const/16 v233, -55
    const/16 v234, -288
    const/16 v235, -74
    const/16 v236, 202
    const/16 v237, 201
    const/16 v238, -170
    const/16 v239, 275
    const/16 v240, -182
    const/16 v241, -31
    const/16 v242, -5
    const/16 v243, 65
    const/16 v244, 138
    const/16 v245, 111
    const/16 v246, -275
    const/16 v247, 282
    const/16 v248, 34
    const/16 v249, 234
    const/16 v250, -25
    const/16 v251, -152
    const/16 v252, 66
    const/16 v253, -71
    const/16 v254, -252
    const/16 v255, -298
    move/16 v256, v1
    move/16 v257, v4
    move/16 v258, v1
    move/16 v259, v3
    move/16 v260, v3
    move/16 v261, v1
    move/16 v262, v4
    move/16 v263, v3
    move/16 v264, v2
    move/16 v265, v4
    move/16 v266, v2
    :b0
    int-to-long v5, v3
    mul-long/2addr v5, v5
    long-to-int v2, v5
    move-object/from16 v7, p0
    invoke-virtual {v7, v3}, LCtx;->mix(I)I
    move-result v3
    and-int/lit8 v8, v81, 3
    div-int v50, v4, v8
    and-int/lit16 v8, v2, 0x3ff
    sparse-switch v8, :sparse1
    :b1
    goto :b13
    :b2
    or-int v2, v3, v1
    if-lt v1, v2, :b15
    :b3
    add-int v174, v161, v96
    sub-int/2addr v4, v2
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v3, v1}, LS;->s1(LCtx;III)I
    move-result v23
    shl-int v249, v3, v102
    if-lt v4, v1, :b7
    :b4
    :t1_start
    add-int/2addr v2, v2
    or-int v44, v2, v4
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static/range {v7 .. v10}, LS;->s1(LCtx;III)I
    move-result v53
    shr-int v66, v57, v49
    if-ge v2, v1, :fuel2
    :b5
    :t0_start
    move-object/from16 v7, p0
    invoke-virtual {v7, v1}, LCtx;->mix(I)I
    if-ne v4, v3, :fuel3
    :b6
    mul-int v17, v250, v4
    int-to-long v5, v1
    mul-long/2addr v5, v5
    long-to-int v2, v5
    if-gez v4, :b10
    :b7
    and-int/lit8 v8, v2, 3
    div-int v1, v115, v8
    goto :fuel4
    :b8
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v3, v7, LA0;->f:I
    mul-int v157, v218, v2
    move-object/from16 v7, p0
    invoke-virtual {v7, v3}, LCtx;->mix(I)I
    move-result v195
    new-instance v7, LE0;
    invoke-direct {v7, v1}, LE0;-><init>(I)V
    throw v7
    nop
    :t0_end
    :b9
    and-int/lit16 v8, v1, 0x3ff
    sparse-switch v8, :sparse5
    :b10
    add-int v3, v107, v2
    xor-int/2addr v2, v4
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v4, v7, LA0;->f:I
    int-to-long v5, v2
    mul-long/2addr v5, v5
    long-to-int v3, v5
    goto/32 :fuel8
    :b11
    and-int/lit8 v8, v51, 3
    div-int v3, v1, v8
    cmp-long v8, v5, v5
    if-ltz v246, :fuel9
    :b12
    shl-int v185, v3, v3
    if-le v3, v1, :b14
    :b13
    sub-int/2addr v3, v1
    xor-int/2addr v4, v4
    const v1, -689109745
    rem-int/lit16 v1, v4, 136
    if-le v2, v1, :fuel10
    nop
    :t1_end
    :b14
    and-int/lit8 v8, v4, 3
    rem-int v3, v2, v8
    and-int/lit8 v89, v119, -60
    rem-int/lit16 v3, v1, 2669
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v185, 7
    aget v3, v7, v8
    if-le v4, v2, :b15
    :b15
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v2, v2}, LS;->s1(LCtx;III)I
    and-int/lit8 v8, v4, 31
    packed-switch v8, :packed11
    :b16
    if-ne v2, v3, :fuel16
    goto/32 :exit
    .catch LE0; {:t0_start .. :t0_end} :handler18
    .catch Ljava/lang/NullPointerException; {:t1_start .. :t1_end} :fuel19
    .catch LE1; {:t1_start .. :t1_end} :handler21
    .catchall {:t1_start .. :t1_end} :handler23
    :fuel2
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel3
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :fuel4
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b3
    :fuel6
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b8
    :fuel7
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b6
    :fuel8
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel9
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b8
    :fuel10
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel12
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b12
    :fuel13
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :fuel14
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b14
    :fuel15
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b13
    :fuel16
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :fuel17
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b6
    :handler18
    move-exception v7
    and-int/lit8 v8, v1, 0x1
    if-eqz v8, :fuel17
    throw v7
    :fuel19
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b11
    :fuel20
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b6
    :handler21
    move-exception v7
    goto/32 :fuel20
    :fuel22
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b10
    :handler23
    move-exception v7
    goto/32 :fuel22
    :exit
    return v1
    :sparse1
    .sparse-switch
        12 -> :b15
        57 -> :b15
        187 -> :b6
        262 -> :b5
        273 -> :b7
        310 -> :b5
        325 -> :b6
        371 -> :b6
        398 -> :b5
        413 -> :b6
        421 -> :b7
        452 -> :b15
        456 -> :b5
        528 -> :b6
        602 -> :b5
        644 -> :b6
        666 -> :b5
        741 -> :b5
        743 -> :b6
        759 -> :b6
        787 -> :b15
        814 -> :b15
        830 -> :b5
        846 -> :b7
        847 -> :b5
        870 -> :b15
        958 -> :b7
        988 -> :b5
        1025 -> :b7
        1069 -> :b7
    .end sparse-switch
    :sparse5
    .sparse-switch
        1048 -> :b16
    .end sparse-switch
    :packed11
    .packed-switch 10
        :fuel13
        :fuel15
        :fuel15
        :fuel15
        :fuel13
        :fuel12
        :fuel12
        :fuel13
        :fuel12
        :fuel15
        :fuel15
        :fuel12
        :fuel15
        :fuel12
        :fuel15
        :fuel14
        :fuel14
        :fuel15
        :fuel12
        :fuel14
    .end packed-switch
.end method

.method public static s2(LCtx;III)I
    .registers 20
    move-object/from16 v7, p0
    invoke-virtual {v7}, LCtx;->out()Z
    move-result v1
    move/from16 v8, p1
    if-nez v1, :over
    if-gtz v8, :start
    :over
    move/from16 v1, p2
    return v1
    :start
    const/16 v0, 40
    move/from16 v1, p2
    move/from16 v2, p3
    const/4 v3, 0x5
    const/4 v4, -0x3
    const-wide/16 v5, 0x7
    const/16 v9, 203
    const/16 v10, 122
    const/16 v11, -151
    const/16 v12, -20
    const/16 v13, -90
    const/16 v14, -179
    const/16 v15, 144
    :b0
    and-int v3, v3, v2
    const-class v7, LA0;
    shl-int v3, v4, v4
    if-lez v12, :fuel1
    :b1
    :t0_start
    int-to-long v5, v3
    mul-long/2addr v5, v5
    long-to-int v2, v5
    xor-int v14, v2, v2
    if-lt v1, v2, :b10
    :b2
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v1, v7, LA0;->f:I
    goto :b5
    :b3
    if-nez v4, :fuel2
    :b4
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v2, v7, LA0;->f:I
    :b5
    neg-int v1, v2
    and-int/lit8 v8, v3, 3
    rem-int v1, v10, v8
    const v3, -454267974
    return v2
    :b6
    move-object/from16 v7, p0
    invoke-virtual {v7, v4}, LCtx;->mix(I)I
    move-result v1
    if-ne v1, v4, :b8
    :b7
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static/range {v7 .. v10}, LU1;->m1(LCtx;III)I
    and-int/lit8 v8, v13, 3
    rem-int v12, v15, v8
    shr-int v10, v1, v11
    shr-int v1, v9, v3
    and-int/lit16 v8, v2, 0x3ff
    sparse-switch v8, :sparse3
    :b8
    ushr-int v1, v4, v1
    rem-int/lit16 v1, v2, 735
    ushr-int v4, v10, v3
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v3, v3}, LS;->s2(LCtx;III)I
    move-result v3
    goto/16 :fuel5
    nop
    :t0_end
    :b9
    rem-int/lit16 v2, v4, 1901
    if-le v2, v1, :fuel6
    :b10
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v1, v1}, LS;->s2(LCtx;III)I
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static/range {v7 .. v10}, LU0;->m1(LCtx;III)I
    move-result v4
    if-ne v1, v3, :fuel7
    goto/32 :exit
    .catch LE1; {:t0_start .. :t0_end} :handler9
    .catchall {:t0_start .. :t0_end} :handler11
    :fuel1
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel2
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel4
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :fuel5
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b5
    :fuel6
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b6
    :fuel7
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b4
    :fuel8
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b3
    :handler9
    move-exception v7
    and-int/lit8 v8, v1, 0x1
    if-eqz v8, :fuel8
    throw v7
    :fuel10
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :handler11
    move-exception v7
    goto/32 :fuel10
    :exit
    return v1
    :sparse3
    .sparse-switch
        -41 -> :b10
        14 -> :fuel4
        27 -> :b9
        66 -> :fuel4
        92 -> :b9
        111 -> :b10
        116 -> :b10
        117 -> :fuel4
        147 -> :b10
        165 -> :fuel4
        272 -> :fuel4
        276 -> :fuel4
        318 -> :b10
        378 -> :b10
        409 -> :b9
        444 -> :fuel4
        478 -> :b10
        504 -> :fuel4
        521 -> :b9
        574 -> :fuel4
        597 -> :b10
        607 -> :b10
        614 -> :b10
        676 -> :b10
        838 -> :b10
        868 -> :b9
        898 -> :b10
        1052 -> :b9
        1067 -> :fuel4
        1070 -> :b10
    .end sparse-switch
.end method

