.class public LS;
.super Ljava/lang/Object;
.source "S.smali"

.method public static s0(LCtx;III)I
    .registers 264
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
    const/16 v9, 128
    const/16 v10, -167
    const/16 v11, -141
    const/16 v12, -151
    const/16 v13, -15
    const/16 v14, 179
    const/16 v15, 243
    const/16 v16, 212
    const/16 v17, -219
    const/16 v18, 9
    const/16 v19, 228
    const/16 v20, 209
    const/16 v21, -96
    const/16 v22, 257
    const/16 v23, -141
    const/16 v24, 9
    const/16 v25, 56
    const/16 v26, -28
    const/16 v27, -136
    const/16 v28, -32
    const/16 v29, 251
    const/16 v30, -166
    const/16 v31, -95
    const/16 v32, 58
    const/16 v33, 173
    const/16 v34, 198
    const/16 v35, -120
    const/16 v36, 234
    const/16 v37, 256
    const/16 v38, 51
    const/16 v39, 47
    const/16 v40, -225
    const/16 v41, 117
    const/16 v42, -263
    const/16 v43, 216
    const/16 v44, -225
    const/16 v45, -251
    const/16 v46, 2
    const/16 v47, -100
    const/16 v48, -219
    const/16 v49, -48
    const/16 v50, -284
    const/16 v51, -7
    const/16 v52, 213
    const/16 v53, -79
    const/16 v54, -116
    const/16 v55, 180
    const/16 v56, 137
    const/16 v57, 139
    const/16 v58, 137
    const/16 v59, 156
    const/16 v60, -10
    const/16 v61, 229
    const/16 v62, -79
    const/16 v63, 108
    const/16 v64, -52
    const/16 v65, 6
    const/16 v66, 227
    const/16 v67, -64
    const/16 v68, 294
    const/16 v69, -260
    const/16 v70, 232
    const/16 v71, 176
    const/16 v72, 216
    const/16 v73, 87
    const/16 v74, -154
    const/16 v75, 22
    const/16 v76, 8
    const/16 v77, 146
    const/16 v78, 36
    const/16 v79, -43
    const/16 v80, -45
    const/16 v81, 256
    const/16 v82, 16
    const/16 v83, 163
    const/16 v84, 182
    const/16 v85, -135
    const/16 v86, -197
    const/16 v87, 52
    const/16 v88, 106
    const/16 v89, -128
    const/16 v90, 65
    const/16 v91, 249
    const/16 v92, -125
    const/16 v93, -53
    const/16 v94, 33
    const/16 v95, 102
    const/16 v96, 94
    const/16 v97, -181
    const/16 v98, -153
    const/16 v99, 288
    const/16 v100, -216
    const/16 v101, 31
    const/16 v102, -266
    const/16 v103, 28
    const/16 v104, -260
    const/16 v105, -209
    const/16 v106, 285
    const/16 v107, -92
    const/16 v108, -218
    const/16 v109, -50
    const/16 v110, -69
    const/16 v111, -232
    const/16 v112, -8
    const/16 v113, 160
    const/16 v114, -5
    const/16 v115, -132
    const/16 v116, -98
    const/16 v117, 267
    const/16 v118, -163
    const/16 v119, -297
    const/16 v120, 195
    const/16 v121, 130
    const/16 v122, -186
    const/16 v123, -38
    const/16 v124, 157
    const/16 v125, -189
    const/16 v126, 131
    const/16 v127, 92
    const/16 v128, -279
    const/16 v129, 281
    const/16 v130, -54
    const/16 v131, -102
    const/16 v132, -267
    const/16 v133, -131
    const/16 v134, -112
    const/16 v135, 189
    const/16 v136, 286
    const/16 v137, 34
    const/16 v138, 280
    const/16 v139, -256
    const/16 v140, -293
    const/16 v141, -151
    const/16 v142, -165
    const/16 v143, 192
    const/16 v144, 273
    const/16 v145, 49
    const/16 v146, 224
    const/16 v147, 242
    const/16 v148, 101
    const/16 v149, -203
    const/16 v150, -1
    const/16 v151, 67
    const/16 v152, 29
    const/16 v153, 121
    const/16 v154, 106
    const/16 v155, -60
    const/16 v156, 271
    const/16 v157, -126
    const/16 v158, 276
    const/16 v159, -11
    const/16 v160, 67
    const/16 v161, -204
    const/16 v162, -174
    const/16 v163, -252
    const/16 v164, 290
    const/16 v165, 262
    const/16 v166, 16
    const/16 v167, 239
    const/16 v168, -281
    const/16 v169, 98
    const/16 v170, 261
    const/16 v171, 77
    const/16 v172, -19
    const/16 v173, -68
    const/16 v174, -214
    const/16 v175, 190
    const/16 v176, 46
    const/16 v177, 89
    const/16 v178, 235
    const/16 v179, 229
    const/16 v180, 17
    const/16 v181, -81
    const/16 v182, -285
    const/16 v183, -213
    const/16 v184, 111
    const/16 v185, 66
    const/16 v186, 58
    const/16 v187, -75
    const/16 v188, -186
    const/16 v189, -270
    const/16 v190, -297
    const/16 v191, -101
    const/16 v192, -63
    const/16 v193, -280
    const/16 v194, -20
    const/16 v195, -167
    const/16 v196, -62
    const/16 v197, 178
    const/16 v198, -107
    const/16 v199, -15
    const/16 v200, -25
    const/16 v201, -79
    const/16 v202, 290
    const/16 v203, 131
    const/16 v204, -112
    const/16 v205, -294
    const/16 v206, 238
    const/16 v207, -62
    const/16 v208, 294
    const/16 v209, 204
    const/16 v210, 224
    const/16 v211, 16
    const/16 v212, 185
    const/16 v213, -58
    const/16 v214, 56
    const/16 v215, 24
    const/16 v216, -240
    const/16 v217, -293
    const/16 v218, 164
    const/16 v219, 174
    const/16 v220, 184
    const/16 v221, 139
    const/16 v222, -249
    const/16 v223, -30
    const/16 v224, -299
    const/16 v225, 29
    const/16 v226, 229
    const/16 v227, -245
    const/16 v228, -95
    const/16 v229, 276
    const/16 v230, -86
    const/16 v231, 227
    const/16 v232, -129
    const/16 v233, -273
    const/16 v234, -193
    const/16 v235, 220
    const/16 v236, 137
    const/16 v237, 149
    const/16 v238, 89
    const/16 v239, 31
    const/16 v240, 64
    const/16 v241, 153
    const/16 v242, 217
    const/16 v243, 265
    const/16 v244, -278
    const/16 v245, 296
    const/16 v246, -153
    const/16 v247, 182
    const/16 v248, 291
    const/16 v249, -113
    const/16 v250, 77
    const/16 v251, 1
    const/16 v252, 84
    const/16 v253, 49
    const/16 v254, 126
    const/16 v255, -101
    move/16 v256, v4
    move/16 v257, v4
    move/16 v258, v1
    move/16 v259, v2
    :b0
    ushr-int v4, v2, v1
    and-int/lit8 v8, v40, 3
    rem-int v3, v3, v8
    and-int/lit8 v8, v1, 31
    packed-switch v8, :packed1
    :b1
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v4, v7, LA0;->f:I
    if-le v4, v4, :b13
    :b2
    or-int v1, v136, v4
    return v2
    :b3
    and-int/lit8 v8, v198, 3
    rem-int v94, v1, v8
    const v2, 1197286696
    if-lt v1, v1, :fuel2
    :b4
    :b5
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static/range {v7 .. v10}, LS;->s2(LCtx;III)I
    move-result v4
    mul-int v213, v3, v4
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v99, 15
    aput v4, v7, v8
    if-lt v3, v3, :fuel3
    :b6
    int-to-long v5, v2
    mul-long/2addr v5, v5
    long-to-int v1, v5
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v57, 7
    aget v1, v7, v8
    move-object/from16 v7, p0
    invoke-virtual {v7, v2}, LCtx;->mix(I)I
    move-result v203
    if-lt v1, v1, :b15
    :b7
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v4, v7, LA0;->f:I
    if-ltz v4, :b11
    :b8
    rem-int/lit16 v2, v3, 1258
    mul-int/2addr v2, v1
    cmp-long v8, v5, v5
    goto/32 :b16
    :b9
    shr-int v2, v2, v1
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static/range {v7 .. v10}, LU1;->m0(LCtx;III)I
    ushr-int v1, v3, v3
    if-le v1, v2, :fuel4
    :b10
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v3, v4}, LU0;->m2(LCtx;III)I
    ushr-int v1, v3, v2
    if-ge v2, v3, :b19
    :b11
    rem-int/lit16 v3, v2, 1759
    if-ltz v4, :fuel5
    :b12
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v2, v7, LA0;->f:I
    move-object/from16 v7, p0
    invoke-virtual {v7, v4}, LCtx;->mix(I)I
    move-result v3
    if-lt v2, v3, :b15
    :b13
    rem-int/lit16 v2, v1, 799
    if-ge v1, v1, :fuel6
    :b14
    shl-int v211, v36, v118
    move-object/from16 v7, p0
    invoke-virtual {v7, v4}, LCtx;->mix(I)I
    move-result v14
    and-int v3, v1, v185
    and-int/lit8 v8, v4, 31
    packed-switch v8, :packed7
    :b15
    const-string v7, "s\n:b1"
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static/range {v7 .. v10}, LS;->s1(LCtx;III)I
    move-result v4
    neg-int v1, v2
    goto/16 :b18
    :b16
    add-int/2addr v4, v2
    if-gez v46, :b19
    :b17
    mul-int v1, v132, v4
    const v88, 1650355825
    and-int v2, v115, v4
    if-nez v81, :fuel11
    :b18
    if-lez v166, :fuel12
    :b19
    and-int/lit8 v8, v74, 3
    rem-int v226, v4, v8
    const v49, 1674523010
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v2, v7, LA0;->f:I
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v4, 7
    aget v71, v7, v8
    if-ne v1, v4, :fuel13
    goto/32 :exit
    :fuel2
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel3
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b5
    :fuel4
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel5
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b3
    :fuel6
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b13
    :fuel8
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b11
    :fuel9
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b3
    :fuel10
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b14
    :fuel11
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b5
    :fuel12
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b10
    :fuel13
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b6
    :exit
    return v1
    :packed1
    .packed-switch 19
        :b12
    .end packed-switch
    :packed7
    .packed-switch 6
        :fuel9
        :b17
        :fuel8
        :fuel9
        :fuel8
        :fuel8
        :fuel8
        :fuel8
    .end packed-switch
.end method

.method public static s1(LCtx;III)I
    .registers 15
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
    const/16 v9, -195
    const/16 v10, -114
    :b0
    sub-int v3, v2, v4
    and-int v10, v4, v3
    mul-int/2addr v2, v2
    if-gtz v4, :b4
    :b1
    nop
    add-int v1, v2, v4
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static/range {v7 .. v10}, LS;->s0(LCtx;III)I
    shl-int v2, v10, v4
    if-ltz v9, :fuel1
    :b2
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static/range {v7 .. v10}, LU1;->m0(LCtx;III)I
    move-result v2
    if-gez v1, :fuel2
    :b3
    rem-int/lit16 v1, v2, 2791
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v1, v7, LA0;->f:I
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v2, v7, LA0;->f:I
    const v10, 1962828850
    if-eq v1, v3, :fuel3
    :b4
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v4, 15
    aget v9, v7, v8
    if-gez v3, :b7
    :b5
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v2, v3}, LS;->s3(LCtx;III)I
    move-result v4
    and-int/lit8 v8, v2, 31
    packed-switch v8, :packed4
    :b6
    if-lt v1, v1, :fuel8
    :b7
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v1, v2}, LU0;->m2(LCtx;III)I
    move-result v1
    and-int/lit8 v8, v10, 3
    div-int v4, v3, v8
    add-int/2addr v2, v3
    xor-int/lit8 v1, v3, -30
    if-nez v10, :fuel9
    goto/32 :exit
    :fuel1
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel2
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :fuel3
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel5
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b5
    :fuel6
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :fuel7
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel8
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel9
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :exit
    return v1
    :packed4
    .packed-switch 0
        :fuel6
        :fuel6
        :fuel7
    .end packed-switch
.end method

.method public static s2(LCtx;III)I
    .registers 16
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
    const/16 v9, 154
    const/16 v10, -72
    const/16 v11, -122
    :b0
    or-int v4, v9, v2
    return v1
    :b1
    int-to-long v5, v1
    mul-long/2addr v5, v5
    long-to-int v1, v5
    move-object/from16 v7, p0
    invoke-virtual {v7, v4}, LCtx;->mix(I)I
    move-result v1
    xor-int/2addr v1, v2
    rem-int/lit16 v2, v2, 564
    and-int/lit8 v8, v3, 31
    packed-switch v8, :packed1
    :b2
    mul-int/2addr v1, v2
    and-int/lit8 v8, v3, 3
    rem-int v11, v1, v8
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v2, 7
    aput v3, v7, v8
    if-nez v1, :b4
    :b3
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v1, v7, LA0;->f:I
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v3, v1}, LU0;->m0(LCtx;III)I
    move-result v9
    and-int/lit8 v8, v11, 3
    rem-int v3, v3, v8
    move/16 v11, v4
    if-ge v1, v1, :b6
    :b4
    and-int/lit8 v8, v3, 31
    packed-switch v8, :packed2
    :b5
    :t0_start
    const-string v7, "s\n:b1"
    rem-int/lit16 v1, v3, 933
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v3, v2}, LU0;->m2(LCtx;III)I
    move-result v10
    or-int v3, v1, v2
    :b6
    ushr-int v4, v1, v1
    move-object/from16 v7, p0
    invoke-virtual {v7, v2}, LCtx;->mix(I)I
    move-result v4
    const v4, -1885255032
    if-eq v4, v1, :b8
    :b7
    move-object/from16 v7, p0
    invoke-virtual {v7, v3}, LCtx;->mix(I)I
    move-result v4
    xor-int/lit8 v3, v2, -86
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v1, v1}, LS;->s2(LCtx;III)I
    move/16 v9, v4
    if-lez v1, :b11
    :b8
    sub-int v10, v10, v1
    rem-int/lit16 v2, v2, 1686
    int-to-long v5, v4
    mul-long/2addr v5, v5
    long-to-int v3, v5
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v2, v1}, LS;->s1(LCtx;III)I
    move-result v1
    goto :b18
    :b9
    add-int v11, v4, v9
    move/16 v9, v9
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v2, v2}, LS;->s3(LCtx;III)I
    move-result v4
    new-instance v7, LE0;
    invoke-direct {v7, v3}, LE0;-><init>(I)V
    throw v7
    :b10
    and-int v1, v2, v11
    add-int/2addr v4, v1
    xor-int/lit8 v3, v2, -100
    goto/32 :b17
    :b11
    and-int v4, v1, v2
    move/16 v11, v11
    mul-int/2addr v3, v2
    if-eq v1, v2, :b13
    :b12
    rem-int/lit16 v3, v1, 1136
    if-ne v4, v1, :fuel4
    nop
    :t0_end
    :b13
    move/16 v11, v3
    const-string v7, "s\n:b1"
    and-int/lit8 v8, v2, 3
    div-int v4, v2, v8
    if-gt v4, v2, :fuel5
    :b14
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v1, v4}, LU0;->m1(LCtx;III)I
    move-result v10
    and-int/lit16 v8, v2, 0x3ff
    sparse-switch v8, :sparse6
    :b15
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v2, v2}, LS;->s2(LCtx;III)I
    if-gtz v2, :b18
    :b16
    shr-int v3, v1, v4
    const v3, -587690869
    if-ge v4, v2, :fuel10
    :b17
    const v1, 1134985998
    if-gtz v1, :fuel11
    :b18
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v1, v7, LA0;->f:I
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v3, v7, LA0;->f:I
    if-ltz v3, :fuel12
    goto/32 :exit
    .catch Ljava/lang/Exception; {:t0_start .. :t0_end} :handler14
    .catch Ljava/lang/ArithmeticException; {:t0_start .. :t0_end} :handler16
    .catchall {:t0_start .. :t0_end} :handler18
    :fuel3
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel4
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b12
    :fuel5
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b12
    :fuel7
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel8
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b3
    :fuel9
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b11
    :fuel10
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b14
    :fuel11
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b3
    :fuel12
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b3
    :fuel13
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b4
    :handler14
    move-exception v7
    goto/32 :fuel13
    :fuel15
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b8
    :handler16
    move-exception v7
    and-int/lit8 v8, v1, 0x1
    if-eqz v8, :fuel15
    throw v7
    :fuel17
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b17
    :handler18
    move-exception v7
    goto/32 :fuel17
    :exit
    return v1
    :packed1
    .packed-switch 0
        :b5
        :b5
        :b5
    .end packed-switch
    :packed2
    .packed-switch 16
        :b14
        :b14
        :fuel3
        :b8
        :b8
        :b14
        :b8
        :fuel3
        :b8
        :fuel3
        :b8
        :b14
        :b14
        :fuel3
        :b8
        :b14
        :fuel3
        :fuel3
        :b8
        :b8
    .end packed-switch
    :sparse6
    .sparse-switch
        127 -> :b17
    .end sparse-switch
.end method

.method public static s3(LCtx;III)I
    .registers 289
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
    const/16 v9, -147
    const/16 v10, 109
    const/16 v11, 94
    const/16 v12, -290
    const/16 v13, -84
    const/16 v14, 83
    const/16 v15, -117
    const/16 v16, 65
    const/16 v17, -250
    const/16 v18, 17
    const/16 v19, 133
    const/16 v20, -153
    const/16 v21, -27
    const/16 v22, 107
    const/16 v23, -42
    const/16 v24, 222
    const/16 v25, 6
    const/16 v26, 124
    const/16 v27, -143
    const/16 v28, 93
    const/16 v29, 156
    const/16 v30, -28
    const/16 v31, -190
    const/16 v32, -169
    const/16 v33, -99
    const/16 v34, 36
    const/16 v35, -47
    const/16 v36, 230
    const/16 v37, 101
    const/16 v38, -297
    const/16 v39, 192
    const/16 v40, -140
    const/16 v41, -170
    const/16 v42, -89
    const/16 v43, -262
    const/16 v44, -246
    const/16 v45, -211
    const/16 v46, -195
    const/16 v47, -145
    const/16 v48, 132
    const/16 v49, 201
    const/16 v50, -64
    const/16 v51, -21
    const/16 v52, -132
    const/16 v53, 33
    const/16 v54, 200
    const/16 v55, -141
    const/16 v56, 280
    const/16 v57, -166
    const/16 v58, 259
    const/16 v59, 50
    const/16 v60, 298
    const/16 v61, 215
    const/16 v62, 68
    const/16 v63, 248
    const/16 v64, -231
    const/16 v65, -274
    const/16 v66, 219
    const/16 v67, -274
    const/16 v68, -254
    const/16 v69, 163
    const/16 v70, -165
    const/16 v71, -29
    const/16 v72, 151
    const/16 v73, 244
    const/16 v74, 49
    const/16 v75, 56
    const/16 v76, 68
    const/16 v77, 63
    const/16 v78, 266
    const/16 v79, 212
    const/16 v80, 92
    const/16 v81, -123
    const/16 v82, 47
    const/16 v83, 243
    const/16 v84, -216
    const/16 v85, 187
    const/16 v86, 264
    const/16 v87, -121
    const/16 v88, 229
    const/16 v89, 15
    const/16 v90, -101
    const/16 v91, -279
    const/16 v92, -229
    const/16 v93, -221
    const/16 v94, -249
    const/16 v95, -185
    const/16 v96, -190
    const/16 v97, -71
    const/16 v98, 83
    const/16 v99, 290
    const/16 v100, -288
    const/16 v101, 12
    const/16 v102, -129
    const/16 v103, 71
    const/16 v104, 82
    const/16 v105, -117
    const/16 v106, -290
    const/16 v107, 262
    const/16 v108, 241
    const/16 v109, 162
    const/16 v110, -82
    const/16 v111, -75
    const/16 v112, 24
    const/16 v113, 155
    const/16 v114, 245
    const/16 v115, -163
    const/16 v116, 263
    const/16 v117, -143
    const/16 v118, -82
    const/16 v119, 116
    const/16 v120, 0
    const/16 v121, 281
    const/16 v122, -181
    const/16 v123, -141
    const/16 v124, 288
    const/16 v125, -48
    const/16 v126, 234
    const/16 v127, 224
    const/16 v128, -177
    const/16 v129, -167
    const/16 v130, 270
    const/16 v131, 256
    const/16 v132, -75
    const/16 v133, 273
    const/16 v134, 185
    const/16 v135, -43
    const/16 v136, -87
    const/16 v137, -286
    const/16 v138, -101
    const/16 v139, 215
    const/16 v140, -209
    const/16 v141, -41
    const/16 v142, -202
    const/16 v143, -68
    const/16 v144, -201
    const/16 v145, -198
    const/16 v146, 25
    const/16 v147, 77
    const/16 v148, -5
    const/16 v149, -183
    const/16 v150, 167
    const/16 v151, 155
    const/16 v152, -40
    const/16 v153, -35
    const/16 v154, 219
    const/16 v155, 113
    const/16 v156, 294
    const/16 v157, -29
    const/16 v158, -6
    const/16 v159, -76
    const/16 v160, -68
    const/16 v161, -45
    const/16 v162, 293
    const/16 v163, 166
    const/16 v164, -281
    const/16 v165, 280
    const/16 v166, -113
    const/16 v167, 85
    const/16 v168, 101
    const/16 v169, -210
    const/16 v170, -202
    const/16 v171, -104
    const/16 v172, 60
    const/16 v173, -282
    const/16 v174, 90
    const/16 v175, -40
    const/16 v176, -156
    const/16 v177, -277
    const/16 v178, -165
    const/16 v179, 130
    const/16 v180, -120
    const/16 v181, 225
    const/16 v182, -197
    const/16 v183, -191
    const/16 v184, 120
    const/16 v185, -189
    const/16 v186, -75
    const/16 v187, 81
    const/16 v188, 167
    const/16 v189, -256
    const/16 v190, -267
    const/16 v191, -270
    const/16 v192, 272
    const/16 v193, 167
    const/16 v194, -133
    const/16 v195, -76
    const/16 v196, 282
    const/16 v197, -125
    const/16 v198, -270
    const/16 v199, 285
    const/16 v200, 93
    const/16 v201, -127
    const/16 v202, -93
    const/16 v203, -107
    const/16 v204, 168
    const/16 v205, -127
    const/16 v206, 167
    const/16 v207, -30
    const/16 v208, -143
    const/16 v209, -29
    const/16 v210, 246
    const/16 v211, -168
    const/16 v212, -196
    const/16 v213, 282
    const/16 v214, 285
    const/16 v215, -142
    const/16 v216, 2
    const/16 v217, 229
    const/16 v218, 96
    const/16 v219, 286
    const/16 v220, -247
    const/16 v221, -36
    const/16 v222, 193
    const/16 v223, 225
    const/16 v224, -5
    const/16 v225, -15
    const/16 v226, -21
    const/16 v227, -184
    const/16 v228, -170
    const/16 v229, 130
    const/16 v230, -73
    const/16 v231, -195
    const/16 v232, 296
    const/16 v233, -92
    const/16 v234, 198
    const/16 v235, -163
    const/16 v236, 55
    const/16 v237, 274
    const/16 v238, -160
    const/16 v239, 209
    const/16 v240, 289
    const/16 v241, 40
    const/16 v242, 43
    const/16 v243, -262
    const/16 v244, -12
    const/16 v245, -207
    const/16 v246, 136
    const/16 v247, 184
    const/16 v248, 130
    const/16 v249, -193
    const/16 v250, -214
    const/16 v251, -102
    const/16 v252, 65
    const/16 v253, -79
    const/16 v254, -136
    const/16 v255, -134
    move/16 v256, v4
    move/16 v257, v3
    move/16 v258, v3
    move/16 v259, v2
    move/16 v260, v4
    move/16 v261, v4
    move/16 v262, v2
    move/16 v263, v2
    move/16 v264, v3
    move/16 v265, v2
    move/16 v266, v4
    move/16 v267, v3
    move/16 v268, v2
    move/16 v269, v1
    move/16 v270, v2
    move/16 v271, v4
    move/16 v272, v4
    move/16 v273, v3
    move/16 v274, v3
    move/16 v275, v2
    move/16 v276, v2
    move/16 v277, v4
    move/16 v278, v1
    move/16 v279, v3
    move/16 v280, v4
    move/16 v281, v4
    move/16 v282, v1
    move/16 v283, v4
    move/16 v284, v1
    :b0
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v3, 7
    aget v1, v7, v8
    if-ne v4, v3, :b7
    :b1
    shl-int v2, v58, v4
    mul-int v90, v3, v3
    const-class v7, LA0;
    mul-int v153, v245, v165
    if-eq v1, v2, :b2
    :b2
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v1, v3}, LU1;->m0(LCtx;III)I
    move-result v250
    mul-int/2addr v3, v2
    if-ge v4, v3, :fuel1
    :b3
    mul-int v3, v2, v196
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v4, v4}, LS;->s0(LCtx;III)I
    move-result v218
    shl-int v4, v2, v102
    const-string v7, "s\n:b1"
    if-eqz v76, :b5
    :b4
    rem-int/lit16 v1, v1, 2827
    const v20, 1136962058
    rem-int/lit16 v2, v3, 2287
    :b5
    const v44, 508827929
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v2, v7, LA0;->f:I
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v3, v7, LA0;->f:I
    and-int/lit8 v8, v4, 3
    rem-int v4, v2, v8
    if-le v3, v1, :fuel2
    :b6
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v2, v2}, LS;->s2(LCtx;III)I
    move-object/from16 v7, p0
    invoke-virtual {v7, v1}, LCtx;->mix(I)I
    move-result v133
    ushr-int v28, v139, v4
    add-int v2, v25, v4
    new-instance v7, LE0;
    invoke-direct {v7, v1}, LE0;-><init>(I)V
    throw v7
    :b7
    if-eq v3, v4, :fuel3
    :b8
    if-ltz v250, :fuel4
    :b9
    or-int v39, v2, v84
    and-int/lit8 v2, v1, 112
    if-lt v4, v1, :fuel5
    goto/32 :exit
    :fuel1
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel2
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel3
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :fuel4
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b5
    :fuel5
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :exit
    return v1
.end method

