.class public LS;
.super Ljava/lang/Object;
.source "S.smali"

.method public static s0(LCtx;III)I
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
    const/16 v0, 20
    move/from16 v1, p2
    move/from16 v2, p3
    const/4 v3, 0x5
    const/4 v4, -0x3
    const-wide/16 v5, 0x7
    const/16 v9, 214
    const/16 v10, -241
    const/16 v11, -113
    :b0
    and-int/lit8 v8, v4, 3
    div-int v10, v4, v8
    move/16 v11, v11
    and-int/lit8 v8, v1, 3
    div-int v2, v4, v8
    int-to-long v5, v1
    mul-long/2addr v5, v5
    long-to-int v4, v5
    return v11
    :b1
    :t0_start
    move-object/from16 v7, p0
    invoke-virtual {v7, v3}, LCtx;->mix(I)I
    move-result v1
    rem-int/lit16 v4, v2, 2942
    mul-int/2addr v1, v4
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v2, 7
    aget v4, v7, v8
    new-instance v7, LE0;
    invoke-direct {v7, v2}, LE0;-><init>(I)V
    throw v7
    :b2
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v3, v3}, LS;->s2(LCtx;III)I
    move-object/from16 v7, p0
    invoke-virtual {v7, v1}, LCtx;->mix(I)I
    and-int v3, v4, v4
    const v2, -1620514578
    if-lt v4, v2, :b7
    :b3
    new-instance v7, LE0;
    invoke-direct {v7, v1}, LE0;-><init>(I)V
    throw v7
    :b4
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v1, v2}, LU0;->m1(LCtx;III)I
    return v2
    :b5
    rem-int/lit16 v4, v1, 1852
    if-ge v4, v4, :b13
    :b6
    and-int/lit8 v8, v9, 3
    rem-int v2, v1, v8
    and-int/lit8 v8, v2, 3
    rem-int v4, v3, v8
    add-int/2addr v1, v4
    and-int/lit16 v8, v1, 0x3ff
    sparse-switch v8, :sparse1
    :b7
    mul-int v2, v1, v1
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v1, 7
    aget v10, v7, v8
    if-lt v2, v3, :b12
    :b8
    move/16 v10, v2
    if-nez v1, :fuel3
    :b9
    const/4 v8, 0x0
    goto/32 :skip4
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    :skip4
    int-to-long v5, v1
    mul-long/2addr v5, v5
    long-to-int v1, v5
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v1, 7
    aget v4, v7, v8
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v1, 7
    aput v11, v7, v8
    and-int/lit16 v8, v4, 0x3ff
    sparse-switch v8, :sparse5
    :b10
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v1, v7, LA0;->f:I
    const v10, 412032126
    nop
    mul-int v3, v1, v2
    if-eq v3, v3, :fuel9
    :b11
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v1, 7
    aget v3, v7, v8
    goto/32 :b16
    :b12
    and-int/lit8 v8, v4, 31
    packed-switch v8, :packed10
    :b13
    return v1
    :b14
    move-object/from16 v7, p0
    invoke-virtual {v7, v2}, LCtx;->mix(I)I
    move-result v2
    const-class v7, LA0;
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v1, v7, LA0;->f:I
    xor-int/2addr v1, v1
    if-lt v4, v2, :b15
    nop
    :t0_end
    :b15
    and-int v2, v10, v3
    shl-int v4, v1, v4
    if-ge v3, v1, :fuel13
    :b16
    and-int/lit8 v8, v1, 3
    rem-int v11, v3, v8
    mul-int/2addr v3, v4
    new-instance v7, LE0;
    invoke-direct {v7, v1}, LE0;-><init>(I)V
    throw v7
    :b17
    xor-int v4, v2, v4
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v4, v7, LA0;->f:I
    and-int v2, v1, v2
    sub-int v2, v1, v11
    if-eq v2, v2, :fuel14
    goto/32 :exit
    .catch Ljava/lang/Exception; {:t0_start .. :t0_end} :handler16
    .catch Ljava/lang/RuntimeException; {:t0_start .. :t0_end} :fuel17
    .catchall {:t0_start .. :t0_end} :handler19
    :fuel2
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b6
    :fuel3
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :fuel6
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :fuel7
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel8
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b8
    :fuel9
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b5
    :fuel11
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :fuel12
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel13
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel14
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b3
    :fuel15
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b11
    :handler16
    move-exception v7
    goto/32 :fuel15
    :fuel17
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b15
    :fuel18
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b10
    :handler19
    move-exception v7
    and-int/lit8 v8, v1, 0x1
    if-eqz v8, :fuel18
    throw v7
    :exit
    return v1
    :sparse1
    .sparse-switch
        401 -> :fuel2
        589 -> :b7
        595 -> :b7
        600 -> :b7
        764 -> :b16
    .end sparse-switch
    :sparse5
    .sparse-switch
        761 -> :fuel6
        1004 -> :fuel7
    .end sparse-switch
    :packed10
    .packed-switch 17
        :b13
        :fuel12
        :fuel11
    .end packed-switch
.end method

.method public static s1(LCtx;III)I
    .registers 291
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
    const/16 v9, 190
    const/16 v10, 255
    const/16 v11, 85
    const/16 v12, -114
    const/16 v13, 50
    const/16 v14, -249
    const/16 v15, -64
    const/16 v16, 132
    const/16 v17, 183
    const/16 v18, -105
    const/16 v19, 255
    const/16 v20, 261
    const/16 v21, 112
    const/16 v22, 296
    const/16 v23, -4
    const/16 v24, -274
    const/16 v25, 168
    const/16 v26, -84
    const/16 v27, -213
    const/16 v28, 186
    const/16 v29, -242
    const/16 v30, 273
    const/16 v31, 152
    const/16 v32, 132
    const/16 v33, 107
    const/16 v34, 293
    const/16 v35, -169
    const/16 v36, -243
    const/16 v37, 126
    const/16 v38, 73
    const/16 v39, 228
    const/16 v40, 294
    const/16 v41, -101
    const/16 v42, -120
    const/16 v43, 158
    const/16 v44, -266
    const/16 v45, 242
    const/16 v46, 28
    const/16 v47, -83
    const/16 v48, -140
    const/16 v49, 214
    const/16 v50, -253
    const/16 v51, -134
    const/16 v52, 117
    const/16 v53, -71
    const/16 v54, 225
    const/16 v55, 216
    const/16 v56, -245
    const/16 v57, -21
    const/16 v58, -185
    const/16 v59, -183
    const/16 v60, 233
    const/16 v61, 233
    const/16 v62, 222
    const/16 v63, 132
    const/16 v64, -170
    const/16 v65, -170
    const/16 v66, 74
    const/16 v67, -270
    const/16 v68, 295
    const/16 v69, 232
    const/16 v70, -146
    const/16 v71, 266
    const/16 v72, -43
    const/16 v73, -223
    const/16 v74, -104
    const/16 v75, -14
    const/16 v76, -207
    const/16 v77, 136
    const/16 v78, -53
    const/16 v79, 170
    const/16 v80, 292
    const/16 v81, 25
    const/16 v82, 187
    const/16 v83, -40
    const/16 v84, -207
    const/16 v85, 279
    const/16 v86, 40
    const/16 v87, -69
    const/16 v88, 294
    const/16 v89, 117
    const/16 v90, -16
    const/16 v91, -172
    const/16 v92, -188
    const/16 v93, 232
    const/16 v94, 139
    const/16 v95, 132
    const/16 v96, 169
    const/16 v97, 207
    const/16 v98, 215
    const/16 v99, 36
    const/16 v100, -189
    const/16 v101, 31
    const/16 v102, 165
    const/16 v103, 282
    const/16 v104, -91
    const/16 v105, 11
    const/16 v106, 81
    const/16 v107, 275
    const/16 v108, -28
    const/16 v109, -191
    const/16 v110, -156
    const/16 v111, 51
    const/16 v112, -37
    const/16 v113, 78
    const/16 v114, -198
    const/16 v115, 79
    const/16 v116, 292
    const/16 v117, 12
    const/16 v118, -164
    const/16 v119, 78
    const/16 v120, 253
    const/16 v121, 155
    const/16 v122, 283
    const/16 v123, -271
    const/16 v124, 87
    const/16 v125, -170
    const/16 v126, -157
    const/16 v127, -62
    const/16 v128, -206
    const/16 v129, -23
    const/16 v130, -274
    const/16 v131, 102
    const/16 v132, -67
    const/16 v133, -98
    const/16 v134, 85
    const/16 v135, -89
    const/16 v136, 139
    const/16 v137, 262
    const/16 v138, 16
    const/16 v139, 102
    const/16 v140, 209
    const/16 v141, -188
    const/16 v142, -58
    const/16 v143, -100
    const/16 v144, 260
    const/16 v145, 290
    const/16 v146, -235
    const/16 v147, 200
    const/16 v148, 64
    const/16 v149, -74
    const/16 v150, 22
    const/16 v151, 29
    const/16 v152, 172
    const/16 v153, 37
    const/16 v154, -299
    const/16 v155, 229
    const/16 v156, -35
    const/16 v157, -213
    const/16 v158, -32
    const/16 v159, 209
    const/16 v160, -79
    const/16 v161, 104
    const/16 v162, -209
    const/16 v163, 270
    const/16 v164, -213
    const/16 v165, -56
    const/16 v166, -138
    const/16 v167, -113
    const/16 v168, -270
    const/16 v169, -42
    const/16 v170, -293
    const/16 v171, -77
    const/16 v172, -105
    const/16 v173, -39
    const/16 v174, 171
    const/16 v175, 111
    const/16 v176, 138
    const/16 v177, -274
    const/16 v178, 155
    const/16 v179, -81
    const/16 v180, 234
    const/16 v181, -142
    const/16 v182, -84
    const/16 v183, -23
    const/16 v184, -34
    const/16 v185, -223
    const/16 v186, 180
    const/16 v187, -267
    const/16 v188, 100
    const/16 v189, -186
    const/16 v190, -103
    const/16 v191, 49
    const/16 v192, 50
    const/16 v193, 169
    const/16 v194, 127
    const/16 v195, -97
    const/16 v196, 288
    const/16 v197, 247
    const/16 v198, -289
    const/16 v199, -91
    const/16 v200, -145
    const/16 v201, 18
    const/16 v202, 174
    const/16 v203, 200
    const/16 v204, -110
    const/16 v205, -132
    const/16 v206, 162
    const/16 v207, 57
    const/16 v208, 84
    const/16 v209, -31
    const/16 v210, -77
    const/16 v211, -267
    const/16 v212, 241
    const/16 v213, 267
    const/16 v214, -12
    const/16 v215, 80
    const/16 v216, 37
    const/16 v217, 217
    const/16 v218, -233
    const/16 v219, 111
    const/16 v220, 93
    const/16 v221, -170
    const/16 v222, -118
    const/16 v223, 254
    const/16 v224, 166
    const/16 v225, 168
    const/16 v226, -224
    const/16 v227, 214
    const/16 v228, -134
    const/16 v229, 296
    const/16 v230, 171
    const/16 v231, 123
    const/16 v232, 12
    const/16 v233, 252
    const/16 v234, -267
    const/16 v235, 230
    const/16 v236, -95
    const/16 v237, 5
    const/16 v238, -99
    const/16 v239, 24
    const/16 v240, -240
    const/16 v241, 10
    const/16 v242, -93
    const/16 v243, -185
    const/16 v244, 110
    const/16 v245, -163
    const/16 v246, -237
    const/16 v247, 32
    const/16 v248, 172
    const/16 v249, 191
    const/16 v250, -241
    const/16 v251, 143
    const/16 v252, 123
    const/16 v253, 234
    const/16 v254, 158
    const/16 v255, -152
    move/16 v256, v2
    move/16 v257, v3
    move/16 v258, v4
    move/16 v259, v1
    move/16 v260, v2
    move/16 v261, v1
    move/16 v262, v2
    move/16 v263, v2
    move/16 v264, v2
    move/16 v265, v3
    move/16 v266, v2
    move/16 v267, v2
    move/16 v268, v3
    move/16 v269, v1
    move/16 v270, v1
    move/16 v271, v4
    move/16 v272, v1
    move/16 v273, v2
    move/16 v274, v1
    move/16 v275, v4
    move/16 v276, v3
    move/16 v277, v3
    move/16 v278, v2
    move/16 v279, v3
    move/16 v280, v2
    move/16 v281, v4
    move/16 v282, v4
    move/16 v283, v2
    move/16 v284, v4
    move/16 v285, v3
    move/16 v286, v2
    :b0
    return v1
    :b1
    move/16 v44, v141
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static/range {v7 .. v10}, LS;->s2(LCtx;III)I
    move-result v216
    goto/32 :b10
    :b2
    ushr-int v3, v2, v241
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v72, 7
    aget v3, v7, v8
    move/16 v251, v3
    if-lt v3, v2, :b5
    :b3
    and-int v33, v14, v2
    move-object/from16 v7, p0
    invoke-virtual {v7, v2}, LCtx;->mix(I)I
    move-result v4
    if-gt v1, v3, :fuel1
    :b4
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v126, 7
    aput v135, v7, v8
    :b5
    if-le v4, v2, :b6
    :b6
    if-eq v1, v2, :fuel2
    :b7
    const v3, 1972180776
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v2, v3}, LU0;->m1(LCtx;III)I
    move-result v1
    cmp-long v8, v5, v5
    shr-int v2, v1, v38
    return v44
    :b8
    goto :fuel3
    :b9
    and-int/lit8 v8, v182, 3
    rem-int v3, v139, v8
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v32, 7
    aput v3, v7, v8
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static/range {v7 .. v10}, LU0;->m2(LCtx;III)I
    if-eqz v3, :fuel4
    :b10
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v2, v7, LA0;->f:I
    and-int/lit8 v8, v3, 3
    rem-int v170, v91, v8
    and-int/lit8 v8, v60, 3
    div-int v12, v196, v8
    shr-int v4, v12, v2
    if-gt v2, v1, :fuel5
    goto/32 :exit
    :fuel1
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel2
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel3
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
    goto/32 :b4
    :exit
    return v1
.end method

.method public static s2(LCtx;III)I
    .registers 63
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
    const/16 v9, -131
    const/16 v10, -222
    const/16 v11, -174
    const/16 v12, -77
    const/16 v13, -118
    const/16 v14, -202
    const/16 v15, 72
    const/16 v16, 259
    const/16 v17, 151
    const/16 v18, -177
    const/16 v19, 123
    const/16 v20, 195
    const/16 v21, 228
    const/16 v22, 124
    const/16 v23, -214
    const/16 v24, 44
    const/16 v25, -157
    const/16 v26, -127
    const/16 v27, -106
    const/16 v28, 154
    const/16 v29, 207
    const/16 v30, 56
    const/16 v31, -177
    const/16 v32, 43
    const/16 v33, -104
    const/16 v34, 229
    const/16 v35, -199
    const/16 v36, -31
    const/16 v37, 282
    const/16 v38, -72
    const/16 v39, 108
    const/16 v40, 126
    const/16 v41, 102
    const/16 v42, 8
    const/16 v43, -283
    const/16 v44, -273
    const/16 v45, -22
    const/16 v46, 299
    const/16 v47, -161
    const/16 v48, -164
    const/16 v49, 273
    const/16 v50, -128
    const/16 v51, -248
    const/16 v52, -218
    const/16 v53, 55
    const/16 v54, 297
    const/16 v55, -58
    const/16 v56, -106
    const/16 v57, 26
    const/16 v58, -63
    :b0
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v1, v7, LA0;->f:I
    mul-int/2addr v2, v2
    if-gez v2, :b16
    :b1
    const v12, -1510162380
    goto :b5
    :b2
    or-int v9, v41, v4
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v3, v7, LA0;->f:I
    move-object/from16 v7, p0
    invoke-virtual {v7, v2}, LCtx;->mix(I)I
    new-instance v7, LE0;
    invoke-direct {v7, v1}, LE0;-><init>(I)V
    throw v7
    :b3
    and-int/lit16 v8, v3, 0x3ff
    sparse-switch v8, :sparse1
    :b4
    move/16 v26, v57
    sub-int/2addr v3, v2
    goto :b12
    :b5
    int-to-long v5, v4
    mul-long/2addr v5, v5
    long-to-int v4, v5
    shl-int v1, v3, v56
    move/16 v54, v34
    shr-int v3, v40, v4
    if-ne v2, v4, :fuel3
    :b6
    add-int/2addr v4, v2
    move-object/from16 v7, p0
    invoke-virtual {v7, v2}, LCtx;->mix(I)I
    move-result v4
    if-gt v2, v4, :fuel4
    :b7
    int-to-long v5, v2
    mul-long/2addr v5, v5
    long-to-int v2, v5
    or-int v23, v48, v3
    shl-int v1, v47, v33
    cmp-long v8, v5, v5
    :b8
    if-gt v3, v1, :fuel5
    :b9
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v2, v4}, LU0;->m0(LCtx;III)I
    move-result v4
    if-nez v15, :fuel6
    :b10
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v14, 7
    aget v3, v7, v8
    if-gez v1, :fuel7
    :b11
    if-ge v2, v4, :fuel8
    :b12
    rem-int/lit16 v3, v3, 259
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v2, v1}, LU0;->m2(LCtx;III)I
    move-result v1
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v4, v1}, LU0;->m0(LCtx;III)I
    move-result v4
    if-gtz v3, :fuel9
    :b13
    if-gez v3, :fuel10
    :b14
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v2, v3}, LS;->s0(LCtx;III)I
    move-result v11
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v4, 7
    aput v28, v7, v8
    xor-int/lit8 v4, v4, -62
    and-int/lit8 v8, v46, 3
    rem-int v4, v16, v8
    :b15
    const v42, 35124846
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v3, v3}, LU0;->m1(LCtx;III)I
    move-result v1
    const v2, -2027658721
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v19, 7
    aget v15, v7, v8
    goto :fuel11
    :b16
    :b17
    if-ge v3, v3, :fuel12
    :b18
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v4, v3}, LS;->s0(LCtx;III)I
    move-result v1
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v35, 15
    aget v43, v7, v8
    if-le v4, v3, :fuel13
    goto/32 :exit
    :fuel2
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b3
    :fuel3
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b3
    :fuel4
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b4
    :fuel5
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b4
    :fuel6
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b7
    :fuel7
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b6
    :fuel8
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b5
    :fuel9
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b9
    :fuel10
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b11
    :fuel11
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b5
    :fuel12
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b5
    :fuel13
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b15
    :exit
    return v1
    :sparse1
    .sparse-switch
        70 -> :b15
        185 -> :b15
        439 -> :fuel2
        587 -> :b5
        695 -> :fuel2
    .end sparse-switch
.end method

